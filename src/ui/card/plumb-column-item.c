/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-column-item.h"

#include "plumb-text.h"

#include <string.h>

struct _PlumbColumnItem {
  GObject parent_instance;

  PlumbCard *card;
  guint place;
  char *folded;
};

G_DEFINE_FINAL_TYPE (PlumbColumnItem, plumb_column_item, G_TYPE_OBJECT)

static void
plumb_column_item_finalize (GObject *object)
{
  PlumbColumnItem *self = PLUMB_COLUMN_ITEM (object);

  plumb_card_unref (self->card);
  g_free (self->folded);
  G_OBJECT_CLASS (plumb_column_item_parent_class)->finalize (object);
}

static void
plumb_column_item_class_init (PlumbColumnItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_column_item_finalize;
}

static void
plumb_column_item_init (PlumbColumnItem *self)
{
}

/** plumb_column_item_new: Returns: (transfer full): the column at @place of @card */
PlumbColumnItem *
plumb_column_item_new (PlumbCard *card, guint place)
{
  PlumbColumnItem *self = g_object_new (PLUMB_TYPE_COLUMN_ITEM, NULL);

  self->card = plumb_card_ref (card);
  self->place = place;
  return self;
}

/** plumb_column_item_get_column: Returns: (transfer none): the column */
const PlumbCardColumn *
plumb_column_item_get_column (PlumbColumnItem *self)
{
  return g_ptr_array_index (self->card->columns, self->place);
}

/** plumb_column_item_get_about: Returns: what it holds, in as plain words as are known, or "" */
const char *
plumb_column_item_get_about (PlumbColumnItem *self)
{
  const PlumbCardColumn *column = plumb_column_item_get_column (self);

  if (column->meaning != NULL && column->meaning[0] != '\0')
    return column->meaning;
  return column->comment != NULL ? column->comment : "";
}

/* All that a filter looks at, folded once. */
static const char *
folded_text (PlumbColumnItem *self)
{
  const PlumbCardColumn *column = plumb_column_item_get_column (self);
  g_autoptr (GString) text = NULL;

  if (self->folded != NULL)
    return self->folded;
  text = g_string_new (column->name);
  g_string_append_printf (text, "\n%s\n%s\n%s", column->type,
                          column->comment != NULL ? column->comment : "",
                          column->meaning != NULL ? column->meaning : "");
  for (guint i = 0; column->values != NULL && i < column->values->len; i++) {
    const PlumbCodeValue *value = g_ptr_array_index (column->values, i);

    g_string_append_printf (text, "\n%s %s", value->value,
                            value->meaning != NULL ? value->meaning : "");
  }
  self->folded = plumb_text_fold (text->str);
  return self->folded;
}

/** plumb_column_item_matches: Returns: whether name, type, meaning or values hold @folded */
gboolean
plumb_column_item_matches (PlumbColumnItem *self, const char *folded)
{
  return strstr (folded_text (self), folded) != NULL;
}
