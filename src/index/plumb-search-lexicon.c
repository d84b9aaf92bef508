/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-lexicon.h"

#include "plumb-config.h"
#include "plumb-search-image.h"

#include <string.h>

/* The lists are text, a line a word, sorted bytewise so that a mapped file is searched as it lies:
 *
 *   word TAB 9other word TAB 7other word …
 *
 * best first, each with its strength from 0 to 9 before it. The vectors are a file of their own: see
 * map_vectors(). data/lexicon/README.md says where everything comes from. */

typedef struct {
  GMappedFile *file;
  const char *text;
  gsize length;
} WordList;

typedef struct {
  GMappedFile *file;
  guint32 n_words;
  guint32 dimension;
  const guint32 *offsets;
  const guint32 *ranks;
  const char *words;
  const gint8 *numbers;
} VectorList;

typedef enum { LIST_SYNONYMS, LIST_DE, LIST_RU, LIST_ZH, LIST_JA, LIST_KO, N_LISTS } ListKind;

static const char *const list_files[N_LISTS] = {
  [LIST_SYNONYMS] = "synonyms-en.txt", [LIST_DE] = "de-en.txt", [LIST_RU] = "ru-en.txt",
  [LIST_ZH] = "zh-en.txt",             [LIST_JA] = "ja-en.txt", [LIST_KO] = "ko-en.txt",
};

static char *
find_file (const char *name)
{
  const char *folders[] = { g_getenv ("PLUMBLINE_DATA_DIR"), PLUMB_PKGDATADIR, PLUMB_SOURCE_DATA_DIR };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = NULL;

    if (folders[i] == NULL)
      continue;
    path = g_build_filename (folders[i], "lexicon", name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&path);
  }
  return NULL;
}

static GMappedFile *
map_file (const char *name)
{
  g_autofree char *path = find_file (name);

  return path != NULL ? g_mapped_file_new (path, FALSE, NULL) : NULL;
}

/* Each list is mapped when it is first asked for, and stays mapped. */
static const WordList *
get_list (ListKind kind)
{
  static WordList lists[N_LISTS];
  static gsize ready[N_LISTS];

  if (g_once_init_enter (&ready[kind])) {
    GMappedFile *file = map_file (list_files[kind]);

    if (file != NULL) {
      lists[kind].file = file;
      lists[kind].text = g_mapped_file_get_contents (file);
      lists[kind].length = g_mapped_file_get_length (file);
    }
    g_once_init_leave (&ready[kind], 1);
  }
  return lists[kind].length > 0 ? &lists[kind] : NULL;
}

static int
compare_word (const char *line, const char *end, const char *word)
{
  gsize length = strlen (word);
  gsize n = 0;

  while (line + n < end && line[n] != '\t' && line[n] != '\n')
    n++;
  if (memcmp (line, word, MIN (n, length)) != 0)
    return memcmp (line, word, MIN (n, length));
  return n < length ? -1 : n > length;
}

/* The line of @word, or NULL. */
static const char *
find_line (const WordList *list, const char *word)
{
  const char *end = list->text + list->length;
  gsize low = 0, high = list->length;

  while (low < high) {
    gsize middle = low + (high - low) / 2;
    const char *line = list->text + middle;
    int order;

    while (line > list->text + low && line[-1] != '\n')
      line--;
    order = compare_word (line, end, word);
    if (order == 0)
      return line;
    if (order > 0) {
      high = line - list->text;
    } else {
      const char *next = memchr (list->text + middle, '\n', list->length - middle);

      low = next != NULL ? (gsize) (next - list->text) + 1 : high;
    }
  }
  return NULL;
}

static void
tell_line (const WordList *list, const char *line, PlumbLexiconFunc func, gpointer user_data)
{
  const char *end = list->text + list->length;
  const char *stop = memchr (line, '\n', end - line);
  g_autofree char *copy = g_strndup (line, (stop != NULL ? stop : end) - line);
  g_auto (GStrv) fields = g_strsplit (copy, "\t", -1);

  for (guint i = 1; fields[0] != NULL && fields[i] != NULL; i++) {
    if (g_ascii_isdigit (fields[i][0]))
      func (fields[i] + 1, (fields[i][0] - '0') / 9.0f, user_data);
  }
}

static void
look_up (ListKind kind, const char *word, PlumbLexiconFunc func, gpointer user_data)
{
  const WordList *list = get_list (kind);
  const char *line = list != NULL && *word != '\0' ? find_line (list, word) : NULL;

  if (line != NULL)
    tell_line (list, line, func, user_data);
}

static int
list_of_language (PlumbLanguage language)
{
  switch (language) {
  case PLUMB_LANGUAGE_GERMAN:
    return LIST_DE;
  case PLUMB_LANGUAGE_RUSSIAN:
    return LIST_RU;
  case PLUMB_LANGUAGE_CHINESE:
    return LIST_ZH;
  case PLUMB_LANGUAGE_JAPANESE:
    return LIST_JA;
  case PLUMB_LANGUAGE_KOREAN:
    return LIST_KO;
  case PLUMB_LANGUAGE_ENGLISH:
  case PLUMB_LANGUAGE_OTHER:
  default:
    return -1;
  }
}

/** plumb_lexicon_synonyms: tells @func the English words that mean about the same as @word */
void
plumb_lexicon_synonyms (const char *word, PlumbLexiconFunc func, gpointer user_data)
{
  look_up (LIST_SYNONYMS, word, func, user_data);
}

/** plumb_lexicon_translate: tells @func the English words that @word of @language can mean */
void
plumb_lexicon_translate (const char *word, PlumbLanguage language, PlumbLexiconFunc func,
                         gpointer user_data)
{
  int kind = list_of_language (language);

  if (kind >= 0)
    look_up (kind, word, func, user_data);
}

/** plumb_lexicon_has: Returns: whether the list of @language holds @word */
gboolean
plumb_lexicon_has (const char *word, PlumbLanguage language)
{
  int kind = list_of_language (language);
  const WordList *list = kind >= 0 ? get_list (kind) : NULL;

  return list != NULL && *word != '\0' && find_line (list, word) != NULL;
}

/** plumb_lexicon_get_sum: Returns: a number that is another one where the lists are others */
guint64
plumb_lexicon_get_sum (void)
{
  static guint64 sum;
  static gsize ready;

  if (g_once_init_enter (&ready)) {
    g_autoptr (GMappedFile) vectors = map_file ("vectors-en.bin");

    for (guint i = 0; i < N_LISTS; i++) {
      const WordList *list = get_list (i);

      if (list != NULL)
        sum = plumb_image_sum (list->text, list->length, sum);
    }
    if (vectors != NULL)
      sum = plumb_image_sum (g_mapped_file_get_contents (vectors), g_mapped_file_get_length (vectors), sum);
    g_once_init_leave (&ready, 1);
  }
  return sum;
}

/* "PLV1", words, dimension (each a little-endian 32-bit number), then for each word of the sorted
 * list its offset into the text and its rank by frequency, one more offset, the numbers, and the
 * words without separators. */
static void
map_vectors (VectorList *list)
{
  GMappedFile *file = map_file ("vectors-en.bin");
  const char *bytes;
  gsize length, needed;
  guint32 header[3];

  if (file == NULL)
    return;
  bytes = g_mapped_file_get_contents (file);
  length = g_mapped_file_get_length (file);
  if (length < sizeof header)
    return;
  memcpy (header, bytes, sizeof header);
  needed = sizeof header + (2 * (gsize) header[1] + 1) * 4 + (gsize) header[1] * header[2];
  if (memcmp (bytes, "PLV1", 4) != 0 || G_BYTE_ORDER != G_LITTLE_ENDIAN || header[1] > 1000000 ||
      header[2] > 1024 || needed > length)
    return;
  list->offsets = (const guint32 *) (gconstpointer) (bytes + sizeof header);
  list->ranks = list->offsets + header[1] + 1;
  list->numbers = (const gint8 *) (list->ranks + header[1]);
  list->words = bytes + needed;
  if (list->offsets[header[1]] > length - needed)
    return;
  list->file = file;
  list->dimension = header[2];
  list->n_words = header[1];
}

static const VectorList *
get_vectors (void)
{
  static VectorList list;
  static gsize ready;

  if (g_once_init_enter (&ready)) {
    map_vectors (&list);
    g_once_init_leave (&ready, 1);
  }
  return list.n_words > 0 ? &list : NULL;
}

static int
find_vector (const VectorList *list, const char *word)
{
  gsize length = strlen (word);
  guint low = 0, high = list->n_words;

  while (low < high) {
    guint middle = low + (high - low) / 2;
    const char *other = list->words + list->offsets[middle];
    gsize n = list->offsets[middle + 1] - list->offsets[middle];
    int order = memcmp (other, word, MIN (n, length));

    if (order == 0)
      order = n < length ? -1 : n > length;
    if (order == 0)
      return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

/** plumb_lexicon_rank: Returns: the place of @word among English words by frequency, -1 for none */
int
plumb_lexicon_rank (const char *word)
{
  const VectorList *list = get_vectors ();
  int i = list != NULL ? find_vector (list, word) : -1;

  return i >= 0 ? (int) list->ranks[i] : -1;
}

/** plumb_lexicon_find: Returns: the number of an English word's vector, -1 where it has none */
int
plumb_lexicon_find (const char *word)
{
  const VectorList *list = get_vectors ();

  return list != NULL ? find_vector (list, word) : -1;
}

/** plumb_lexicon_get_vector: Returns: (nullable) (transfer none): the vector of that number */
PlumbVector
plumb_lexicon_get_vector (int number)
{
  const VectorList *list = get_vectors ();

  return list != NULL && number >= 0 && (guint32) number < list->n_words
             ? list->numbers + (gsize) number * list->dimension
             : NULL;
}

/** plumb_lexicon_vector: Returns: (nullable) (transfer none): the vector of an English word */
PlumbVector
plumb_lexicon_vector (const char *word)
{
  return plumb_lexicon_get_vector (plumb_lexicon_find (word));
}

/** plumb_vector_dimension: Returns: how many numbers a vector has, 0 where there are none */
guint
plumb_vector_dimension (void)
{
  const VectorList *list = get_vectors ();

  return list != NULL ? list->dimension : 0;
}

/** plumb_vector_likeness: Returns: the cosine of two vectors of the lexicon */
float
plumb_vector_likeness (PlumbVector a, PlumbVector b)
{
  const VectorList *list = get_vectors ();
  int sum = 0;

  if (list == NULL)
    return 0;
  for (guint i = 0; i < list->dimension; i++)
    sum += a[i] * b[i];
  return sum / (127.0f * 127.0f);
}
