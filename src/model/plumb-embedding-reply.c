/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-openai-embedder.h"

#include <math.h>
#include <string.h>

/* No model has vectors as long as this; a reply that claims so is none. */
#define MAX_DIMENSIONS 65536

/* A vector shorter than this has no direction. */
#define MIN_LENGTH 1e-12

static gboolean G_GNUC_PRINTF (2, 3) fail (GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (
      error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
      "The embedding endpoint %s. Choose another embedding model in the model settings, or "
      "look at the server's log.",
      text);
  return FALSE;
}

/* Numbers as JSON writes them. */
static float *
read_numbers (JsonArray *array, guint *n_numbers, GError **error)
{
  guint n = json_array_get_length (array);
  g_autofree float *numbers = g_new (float, n + 1);

  for (guint i = 0; i < n; i++) {
    JsonNode *node = json_array_get_element (array, i);
    GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

    if (type != G_TYPE_DOUBLE && type != G_TYPE_INT64) {
      fail (error, "sends a vector with %s where a number belongs",
            JSON_NODE_HOLDS_NULL (node) ? "null" : "something else");
      return NULL;
    }
    numbers[i] = json_node_get_double (node);
  }
  *n_numbers = n;
  return g_steal_pointer (&numbers);
}

/* Numbers as base64 of little-endian 32-bit floats. */
static float *
read_base64 (const char *text, guint *n_numbers, GError **error)
{
  gsize length = 0;
  g_autofree guchar *bytes = g_base64_decode (text, &length);
  float *numbers;

  if (length == 0 || length % sizeof (float) != 0) {
    fail (error, "sends a vector of %" G_GSIZE_FORMAT " bytes, which are no 32-bit numbers",
          length);
    return NULL;
  }
  *n_numbers = length / sizeof (float);
  numbers = g_new (float, *n_numbers);
  for (guint i = 0; i < *n_numbers; i++) {
    guint32 bits;

    memcpy (&bits, bytes + i * sizeof bits, sizeof bits);
    bits = GUINT32_FROM_LE (bits);
    memcpy (&numbers[i], &bits, sizeof bits);
  }
  return numbers;
}

static float *
read_vector (JsonObject *item, guint *n_numbers, GError **error)
{
  const char *text = plumb_json_get_string (item, "embedding", NULL);
  JsonArray *array = plumb_json_get_array (item, "embedding");

  if (text != NULL)
    return read_base64 (text, n_numbers, error);
  if (array != NULL)
    return read_numbers (array, n_numbers, error);
  fail (error, "sends an answer without a vector");
  return NULL;
}

static gboolean
normalize (float *vector, guint n, GError **error)
{
  double sum = 0;

  for (guint i = 0; i < n; i++) {
    if (!isfinite (vector[i]))
      return fail (error, "sends a vector with %s in it",
                   isnan (vector[i]) ? "NaN, which is no number," : "an infinite number");
    sum += (double) vector[i] * vector[i];
  }
  sum = sqrt (sum);
  if (sum < MIN_LENGTH)
    return fail (error, "sends a vector of zeros alone, which says nothing");
  for (guint i = 0; i < n; i++)
    vector[i] /= sum;
  return TRUE;
}

/* Where an answer belongs: at its `index`; servers that leave that out keep the order. */
static gboolean
read_place (JsonObject *item, guint position, guint n_texts, guint8 *taken, guint *place,
            GError **error)
{
  gint64 index = plumb_json_get_int (item, "index", position);

  if (index < 0 || index >= n_texts)
    return fail (error, "answers for text number %" G_GINT64_FORMAT ", which it was not given",
                 index);
  if (taken[index])
    return fail (error, "answers twice for text number %" G_GINT64_FORMAT, index);
  taken[index] = TRUE;
  *place = index;
  return TRUE;
}

static gboolean
check_dimensions (guint n, guint *n_dimensions, GError **error)
{
  if (n == 0 || n > MAX_DIMENSIONS)
    return fail (error, "sends a vector of %u numbers", n);
  if (*n_dimensions == 0)
    *n_dimensions = n;
  if (n == *n_dimensions)
    return TRUE;
  g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_DIMENSIONS,
               "The embedding endpoint sends a vector of %u numbers after others of %u, so another "
               "model answers than before. Give each model a name of its own at the server, and "
               "choose it in the model settings.",
               n, *n_dimensions);
  return FALSE;
}

static gboolean
read_item (JsonNode *node, guint position, guint n_texts, guint8 *taken, float **vectors,
           guint *n_dimensions, GError **error)
{
  JsonObject *item = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autofree float *vector = NULL;
  guint n = 0, place = 0;

  if (item == NULL)
    return fail (error, "sends something else than vectors");
  if (!read_place (item, position, n_texts, taken, &place, error))
    return FALSE;
  vector = read_vector (item, &n, error);
  if (vector == NULL || !check_dimensions (n, n_dimensions, error) || !normalize (vector, n, error))
    return FALSE;
  if (*vectors == NULL)
    *vectors = g_new0 (float, (gsize) n_texts *n);
  memcpy (*vectors + (gsize) place * n, vector, n * sizeof (float));
  return TRUE;
}

/**
 * plumb_embedding_reply_read:
 * @root: what `/embeddings` answered
 * @n_texts: how many texts were sent
 * @n_dimensions: (inout): numbers in a vector; 0 where none is known yet
 * @error: return location for PLUMB_MODEL_ERROR_PROTOCOL, or PLUMB_MODEL_ERROR_DIMENSIONS where a
 *   vector is of another length than @n_dimensions or the others
 *
 * Vectors may be lists of numbers or base64. They come in the order of the texts, each of length
 * one.
 *
 * Returns: (transfer full): @n_texts times @n_dimensions numbers to be freed with g_free(), or
 * %NULL with an error
 */
float *
plumb_embedding_reply_read (JsonNode *root, guint n_texts, guint *n_dimensions, GError **error)
{
  JsonArray *data = JSON_NODE_HOLDS_OBJECT (root)
                        ? plumb_json_get_array (json_node_get_object (root), "data")
                        : NULL;
  g_autofree guint8 *taken = g_new0 (guint8, n_texts);
  g_autofree float *vectors = NULL;
  guint known = *n_dimensions;

  if (data == NULL) {
    fail (error, "sends no list of vectors");
    return NULL;
  }
  if (json_array_get_length (data) != n_texts) {
    fail (error, "sends %u vectors for %u texts", json_array_get_length (data), n_texts);
    return NULL;
  }
  for (guint i = 0; i < n_texts; i++) {
    if (!read_item (json_array_get_element (data, i), i, n_texts, taken, &vectors, &known, error))
      return NULL;
  }
  *n_dimensions = known;
  return g_steal_pointer (&vectors);
}
