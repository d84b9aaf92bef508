/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least that an export from MariaDB comes to: mysql_use_result() and CSV, nothing more.
 *
 *     mariadb-peer PORT PASSWORD SQL FILE */

static void
write_field (FILE *file, const char *text, size_t length)
{
  size_t i;

  for (i = 0; i < length; i++) {
    if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
      break;
  }
  if (length > 0 && i == length) {
    fwrite_unlocked (text, 1, length, file);
    return;
  }
  putc_unlocked ('"', file);
  for (i = 0; i < length; i++) {
    if (text[i] == '"')
      putc_unlocked ('"', file);
    putc_unlocked (text[i], file);
  }
  putc_unlocked ('"', file);
}

int
main (int argc, char **argv)
{
  MYSQL *mysql = mysql_init (NULL);
  MYSQL_RES *rows;
  MYSQL_ROW row;
  FILE *file;
  char *buffer = malloc (64 * 1024);

  if (argc != 5
      || !mysql_real_connect (mysql, "127.0.0.1", "root", argv[2], "bench",
                              (unsigned)atoi (argv[1]), NULL, 0)
      || mysql_set_character_set (mysql, "utf8mb4") != 0 || mysql_query (mysql, argv[3]) != 0
      || (rows = mysql_use_result (mysql)) == NULL || (file = fopen (argv[4], "w")) == NULL) {
    fprintf (stderr, "mariadb-peer: %s\n", mysql_error (mysql));
    return 1;
  }
  setvbuf (file, buffer, _IOFBF, 64 * 1024);
  while ((row = mysql_fetch_row (rows)) != NULL) {
    const unsigned long *lengths = mysql_fetch_lengths (rows);

    for (unsigned i = 0; i < mysql_num_fields (rows); i++) {
      if (i > 0)
        putc_unlocked (',', file);
      if (row[i] != NULL)
        write_field (file, row[i], lengths[i]);
    }
    fputs_unlocked ("\r\n", file);
  }
  return mysql_errno (mysql) != 0 || fclose (file) != 0;
}
