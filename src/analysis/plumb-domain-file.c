/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-domain-file.h"

#include "plumb-text.h"

#include <string.h>

/*
 * A domain file is Markdown with front matter:
 *
 *   ---
 *   domain: sales
 *   database: sales                       (optional: the source that it speaks of)
 *   keywords_en: [order, sale]            (keywords_ and a language, any number of them)
 *   keywords_ko:
 *     - 주문
 *   question_examples:
 *     - How many orders are open?
 *   tables_primary: [ORD_MST, main.ORD_DTL]
 *   ---
 *   # Orders
 *
 *   The first paragraph says what the domain is about.
 *
 *   ## Fields
 *   - `ORD_MST.STATUS_CODE`: order status; 10 open, 20 shipped
 *
 *   ## Joins
 *   - `ORD_DTL.ORD_NO = ORD_MST.ORD_NO`: several lines an order
 *
 *   ## Pitfalls
 *   - `ORD_MST.REMARK`: does not say the status
 *
 * The front matter is the part of YAML that stands above: a value is a word, a list in brackets or
 * a list of lines with dashes; quotes around a value are taken off. What else stands in the file is
 * for people.
 */

#define MAX_FILE_BYTES (1024 * 1024)

static void
domain_line_free (PlumbDomainLine *self)
{
  g_free (self->target);
  g_free (self->text);
  g_free (self);
}

/** plumb_domain_file_free: frees @self */
void
plumb_domain_file_free (PlumbDomainFile *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->domain);
  g_free (self->database);
  g_strfreev (self->keywords);
  g_strfreev (self->question_examples);
  g_strfreev (self->tables_primary);
  g_free (self->purpose);
  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->joins);
  g_ptr_array_unref (self->pitfalls);
  g_free (self);
}

typedef struct {
  PlumbDomainFile *file;
  GStrvBuilder *keywords;
  GStrvBuilder *questions;
  GStrvBuilder *tables;
  char *key; /* whose list lines with dashes are read */
} FrontMatter;

static char *
unquote (const char *text)
{
  char *value = g_strstrip (g_strdup (text));
  gsize length = strlen (value);

  if (length >= 2 && (*value == '"' || *value == '\'') && value[length - 1] == *value) {
    memmove (value, value + 1, length - 2);
    value[length - 2] = '\0';
  }
  return value;
}

static void
add_value (FrontMatter *matter, const char *key, const char *text)
{
  g_autofree char *value = unquote (text);

  if (*value == '\0')
    return;
  if (g_str_has_prefix (key, "keywords"))
    g_strv_builder_add (matter->keywords, value);
  else if (strcmp (key, "question_examples") == 0)
    g_strv_builder_add (matter->questions, value);
  else if (strcmp (key, "tables_primary") == 0)
    g_strv_builder_add (matter->tables, value);
  else if (strcmp (key, "domain") == 0 && matter->file->domain == NULL)
    matter->file->domain = g_steal_pointer (&value);
  else if (strcmp (key, "database") == 0 && matter->file->database == NULL)
    matter->file->database = g_steal_pointer (&value);
}

/* A list in brackets; a comma inside quotes belongs to its value. */
static void
add_bracketed (FrontMatter *matter, const char *key, const char *text)
{
  g_autoptr (GString) item = g_string_new (NULL);
  char quote = '\0';

  for (const char *p = text; *p != '\0'; p++) {
    if (quote == '\0' && (*p == ',' || *p == ']')) {
      add_value (matter, key, item->str);
      g_string_truncate (item, 0);
      if (*p == ']')
        return;
      continue;
    }
    if (*p == quote)
      quote = '\0';
    else if (quote == '\0' && (*p == '"' || *p == '\'') && item->len == 0)
      quote = *p;
    if (!(item->len == 0 && *p == ' '))
      g_string_append_c (item, *p);
  }
  add_value (matter, key, item->str);
}

static void
read_matter_line (FrontMatter *matter, char *line)
{
  char *stripped = g_strstrip (line);
  char *colon;
  char *value;

  if (*stripped == '\0' || *stripped == '#')
    return;
  if (g_str_has_prefix (stripped, "- ")) {
    if (matter->key != NULL)
      add_value (matter, matter->key, stripped + 2);
    return;
  }
  colon = strchr (stripped, ':');
  if (colon == NULL)
    return;
  *colon = '\0';
  g_free (matter->key);
  matter->key = g_strdup (g_strchomp (stripped));
  value = g_strchug (colon + 1);
  if (*value == '[')
    add_bracketed (matter, matter->key, value + 1);
  else
    add_value (matter, matter->key, value);
}

/* "- `TARGET`: text" */
static PlumbDomainLine *
read_item (const char *line)
{
  const char *start;
  const char *end;
  const char *text;
  PlumbDomainLine *item;

  if (!g_str_has_prefix (line, "- `") && !g_str_has_prefix (line, "* `"))
    return NULL;
  start = line + 3;
  end = strchr (start, '`');
  if (end == NULL || end == start)
    return NULL;
  text = end + 1;
  while (*text == ':' || *text == ' ')
    text++;
  item = g_new0 (PlumbDomainLine, 1);
  item->target = g_strstrip (g_strndup (start, end - start));
  item->text = g_strdup (text);
  return item;
}

static GPtrArray *
find_section (PlumbDomainFile *file, const char *heading)
{
  g_autofree char *title = g_utf8_strdown (heading, -1);

  g_strstrip (g_strdelimit (title, "#", ' '));
  if (strcmp (title, "fields") == 0 || strcmp (title, "columns") == 0)
    return file->fields;
  if (strcmp (title, "joins") == 0)
    return file->joins;
  return strcmp (title, "pitfalls") == 0 ? file->pitfalls : NULL;
}

static void
end_paragraph (PlumbDomainFile *file, GString *paragraph)
{
  if (file->purpose == NULL && paragraph->len > 0)
    file->purpose = plumb_text_first_line (paragraph->str, 300);
  g_string_truncate (paragraph, 0);
}

static void
read_body (PlumbDomainFile *file, char **lines)
{
  g_autoptr (GString) paragraph = g_string_new (NULL);
  GPtrArray *section = NULL;
  PlumbDomainLine *last = NULL;
  gboolean in_section = FALSE;

  for (; *lines != NULL; lines++) {
    char *line = g_strchomp (*lines);
    PlumbDomainLine *item;

    if (*line == '#') {
      end_paragraph (file, paragraph);
      section = find_section (file, line);
      in_section = in_section || g_str_has_prefix (line, "##");
      last = NULL;
      continue;
    }
    item = section != NULL ? read_item (line) : NULL;
    if (item != NULL) {
      g_ptr_array_add (section, item);
      last = item;
    } else if (last != NULL && *line == ' ') {
      /* An item goes on in lines that are set in. */
      char *longer = g_strconcat (last->text, " ", g_strchug (line), NULL);

      g_free (last->text);
      last->text = longer;
    } else if (*line == '\0') {
      end_paragraph (file, paragraph);
    } else if (!in_section) {
      g_string_append_printf (paragraph, "%s%s", paragraph->len > 0 ? " " : "", line);
    }
  }
  end_paragraph (file, paragraph);
}

static PlumbDomainFile *
domain_file_new (void)
{
  PlumbDomainFile *self = g_new0 (PlumbDomainFile, 1);

  self->fields = g_ptr_array_new_with_free_func ((GDestroyNotify) domain_line_free);
  self->joins = g_ptr_array_new_with_free_func ((GDestroyNotify) domain_line_free);
  self->pitfalls = g_ptr_array_new_with_free_func ((GDestroyNotify) domain_line_free);
  return self;
}

static guint
read_matter (PlumbDomainFile *file, char **lines)
{
  g_autoptr (GStrvBuilder) keywords = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) questions = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) tables = g_strv_builder_new ();
  FrontMatter matter = { file, keywords, questions, tables, NULL };
  guint i = 1;

  while (lines[i] != NULL && strcmp (g_strchomp (lines[i]), "---") != 0)
    read_matter_line (&matter, lines[i++]);
  g_free (matter.key);
  file->keywords = g_strv_builder_end (keywords);
  file->question_examples = g_strv_builder_end (questions);
  file->tables_primary = g_strv_builder_end (tables);
  return lines[i] != NULL ? i + 1 : 0;
}

/**
 * plumb_domain_file_parse:
 * @text: the file's content
 * @length: its bytes, -1 where it ends in NUL
 * @error: return location
 *
 * Returns: (transfer full): what it says, or %NULL with PLUMB_ERROR_INVALID_ARGUMENT where it has
 *   no front matter or names no domain
 */
PlumbDomainFile *
plumb_domain_file_parse (const char *text, gssize length, GError **error)
{
  g_autoptr (PlumbDomainFile) self = domain_file_new ();
  g_autofree char *valid = g_utf8_make_valid (text, length);
  const char *start = g_str_has_prefix (valid, "\357\273\277") ? valid + 3 : valid;
  g_auto (GStrv) lines = g_strsplit (start, "\n", -1);
  guint body = 0;

  if (lines[0] != NULL && strcmp (g_strchomp (lines[0]), "---") == 0)
    body = read_matter (self, lines);
  if (body == 0) {
    g_set_error_literal (
        error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
        "A domain file begins with front matter between two lines of three dashes. "
        "Add it, with at least “domain: NAME”.");
    return NULL;
  }
  if (self->domain == NULL) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "The front matter of a domain file names its domain. Add “domain: NAME”.");
    return NULL;
  }
  read_body (self, lines + body);
  return g_steal_pointer (&self);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_files (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  g_autoptr (GPtrArray) names = NULL;
  const char *name;

  if (dir == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (g_str_has_suffix (name, ".md") && *name != '.')
      g_ptr_array_add (names, g_strdup (name));
  }
  g_ptr_array_sort (names, compare_names);
  return g_steal_pointer (&names);
}

static PlumbDomainFile *
load_file (const char *path, GError **error)
{
  g_autofree char *content = NULL;
  PlumbDomainFile *file;
  gsize length;

  if (!g_file_get_contents (path, &content, &length, error))
    return NULL;
  if (length > MAX_FILE_BYTES) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The domain file is larger than %d bytes. Split it by domain.", MAX_FILE_BYTES);
    return NULL;
  }
  file = plumb_domain_file_parse (content, length, error);
  if (file != NULL)
    file->path = g_strdup (path);
  return file;
}

/**
 * plumb_domain_files_load:
 * @folder: a folder with domain files (`*.md`)
 * @failures: (element-type utf8): gets a sentence for each file that can't be read
 *
 * Returns: (transfer full) (element-type PlumbDomainFile): the files that can, sorted by name
 */
GPtrArray *
plumb_domain_files_load (const char *folder, GPtrArray *failures)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) names = list_files (folder, &error);
  GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_domain_file_free);

  if (names == NULL) {
    if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
      g_ptr_array_add (failures, g_strdup_printf ("Domain files: %s", error->message));
    return files;
  }
  for (guint i = 0; i < names->len; i++) {
    g_autoptr (GError) file_error = NULL;
    g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, i), NULL);
    PlumbDomainFile *file = load_file (path, &file_error);

    if (file != NULL)
      g_ptr_array_add (files, file);
    else
      g_ptr_array_add (failures, g_strdup_printf ("%s: %s", path, file_error->message));
  }
  return files;
}
