/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-rerank.h"

#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009)
 * with the usual saturation, and half of a text's length counting against it. */
#define SATURATION 1.2
#define LENGTH 0.5

/* Words of so many bytes that begin alike count as forms of one word, at this strength. */
#define STEM_BYTES 4
#define MAX_ENDING 3
#define FORM 0.7

/* Of a question no more than this is read. */
#define MAX_QUESTION_BYTES 4096

/* The first place is worth as much as all the words, this place half of that: search knows more of a
 * table than its description says. */
#define HALF_PLACE 3.0

#define PLUMB_TYPE_RERANK_LEXICAL (plumb_rerank_lexical_get_type ())
G_DECLARE_FINAL_TYPE (PlumbRerankLexical, plumb_rerank_lexical, PLUMB, RERANK_LEXICAL, GObject)

struct _PlumbRerankLexical {
  GObject parent_instance;
};

static void reranker_iface_init (PlumbRerankerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PlumbRerankLexical, plumb_rerank_lexical, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (PLUMB_TYPE_RERANKER, reranker_iface_init))

/* 1 for the same word, less for another form of it, 0 for another word. */
static double
compare_words (const char *one, const char *other)
{
  gsize same = 0, one_length = strlen (one), other_length = strlen (other);

  while (one[same] != '\0' && one[same] == other[same])
    same++;
  if (same == one_length && same == other_length)
    return 1;
  return same >= STEM_BYTES && one_length - same <= MAX_ENDING && other_length - same <= MAX_ENDING
             ? FORM
             : 0;
}

/* How often a text holds a word, its other forms counting less. */
static double
count_word (GPtrArray *tokens, const char *word)
{
  double count = 0;

  for (guint i = 0; i < tokens->len; i++)
    count += compare_words (g_ptr_array_index (tokens, i), word);
  return count;
}

/* Adds what one word of the question says for each text. */
static void
add_word (GPtrArray *documents, const char *word, double mean_length, float *scores)
{
  g_autofree double *counts = g_new0 (double, documents->len);
  guint n_with = 0;
  double rarity;

  for (guint i = 0; i < documents->len; i++) {
    counts[i] = count_word (g_ptr_array_index (documents, i), word);
    n_with += counts[i] > 0;
  }
  rarity = log (1 + (documents->len - n_with + 0.5) / (n_with + 0.5));
  for (guint i = 0; i < documents->len; i++) {
    GPtrArray *tokens = g_ptr_array_index (documents, i);
    double length = 1 - LENGTH + LENGTH * tokens->len / MAX (mean_length, 1);

    scores[i] += rarity * counts[i] * (SATURATION + 1) / (counts[i] + SATURATION * length);
  }
}

/* The words of the question, each once. */
static GPtrArray *
read_words (const char *question)
{
  g_autofree char *start = plumb_text_cut (question, MAX_QUESTION_BYTES);
  GPtrArray *words = plumb_text_tokenize (start);

  for (guint i = 0; i < words->len; i++) {
    for (guint j = words->len - 1; j > i; j--) {
      if (g_str_equal (g_ptr_array_index (words, i), g_ptr_array_index (words, j)))
        g_ptr_array_remove_index (words, j);
    }
  }
  return words;
}

/* The texts come best first; what the words say is weighed against that order. */
static void
blend (float *scores, guint n_texts)
{
  float best = 0;

  for (guint i = 0; i < n_texts; i++)
    best = MAX (best, scores[i]);
  for (guint i = 0; i < n_texts; i++)
    scores[i] = (best > 0 ? scores[i] / best : 0) + 1 / (1 + i / HALF_PLACE);
}

static float *
rerank (PlumbReranker *reranker, const char *question, const char *const *texts, guint n_texts,
        GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray)
      documents = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) words = read_words (question);
  g_autofree float *scores = g_new0 (float, n_texts);
  double total = 0;

  for (guint i = 0; i < n_texts; i++) {
    GPtrArray *tokens = plumb_text_tokenize (texts[i]);

    g_ptr_array_add (documents, tokens);
    total += tokens->len;
  }
  for (guint i = 0; i < words->len; i++) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    add_word (documents, g_ptr_array_index (words, i), total / n_texts, scores);
  }
  blend (scores, n_texts);
  return g_steal_pointer (&scores);
}

static void
reranker_iface_init (PlumbRerankerInterface *iface)
{
  iface->rerank = rerank;
}

static void
plumb_rerank_lexical_class_init (PlumbRerankLexicalClass *klass)
{
}

static void
plumb_rerank_lexical_init (PlumbRerankLexical *self)
{
}

/** plumb_rerank_lexical_new: Returns: (transfer full): a reranker that goes by words alone; nothing
 * is sent anywhere */
PlumbReranker *
plumb_rerank_lexical_new (void)
{
  return g_object_new (PLUMB_TYPE_RERANK_LEXICAL, NULL);
}
