/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-canvas.h"

#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

/* Sizes in pixels. */
#define NODE_WIDTH 172
#define NODE_HEIGHT 52
#define GAP_ACROSS 24
#define GAP_DOWN 74
#define MARGIN 18
#define LOOP_REACH 34

struct _PlumbJoinCanvas {
  GtkWidget parent_instance;

  PlumbJoinPicture *picture;
  GPtrArray *nodes;
  GPtrArray *labels;
  int *layers;
};

enum {
  TABLE_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbJoinCanvas, plumb_join_canvas, GTK_TYPE_WIDGET)

static int
end_of (PlumbJoinCanvas *self, const PlumbJoinEdge *edge, gboolean right)
{
  return plumb_join_picture_find (self->picture, right ? edge->right : edge->left);
}

static gboolean
is_joined (PlumbJoinCanvas *self, int node)
{
  for (guint i = 0; i < self->picture->edges->len; i++) {
    const PlumbJoinEdge *edge = g_ptr_array_index (self->picture->edges, i);

    if (end_of (self, edge, FALSE) == node || end_of (self, edge, TRUE) == node)
      return TRUE;
  }
  return FALSE;
}

/* Joins take a table on to the next layer, where that is nearer than where it stood. */
static gboolean
pull_along_edges (PlumbJoinCanvas *self)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < self->picture->edges->len; i++) {
    const PlumbJoinEdge *edge = g_ptr_array_index (self->picture->edges, i);
    int ends[] = { end_of (self, edge, FALSE), end_of (self, edge, TRUE) };

    for (int side = 0; side < 2; side++) {
      int from = self->layers[ends[side]], to = self->layers[ends[1 - side]];

      if (from >= 0 && (to < 0 || to > from + 1)) {
        self->layers[ends[1 - side]] = from + 1;
        changed = TRUE;
      }
    }
  }
  return changed;
}

/* How many joins each table stands from the first one. What isn't joined to it starts anew below;
 * tables without any join share the last layer. */
static void
find_layers (PlumbJoinCanvas *self)
{
  guint n = self->picture->tables->len;
  int next = 0;

  self->layers = g_new (int, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    self->layers[i] = -1;
  for (guint start = 0; start < n; start++) {
    if (self->layers[start] >= 0 || !is_joined (self, start))
      continue;
    self->layers[start] = next;
    while (pull_along_edges (self))
      ;
    for (guint i = 0; i < n; i++)
      next = MAX (next, self->layers[i] + 1);
  }
  for (guint i = 0; i < n; i++) {
    if (self->layers[i] < 0)
      self->layers[i] = next;
  }
}

static int
columns_for_width (int width)
{
  int columns = (width - 2 * MARGIN + GAP_ACROSS) / (NODE_WIDTH + GAP_ACROSS);

  return CLAMP (columns, 1, 4);
}

/* Rows that the layer takes, each of up to @columns tables. */
static int
rows_of_layer (PlumbJoinCanvas *self, int layer, int columns)
{
  int n = 0;

  for (guint i = 0; i < self->picture->tables->len; i++)
    n += self->layers[i] == layer;
  return (n + columns - 1) / columns;
}

static int
last_layer (PlumbJoinCanvas *self)
{
  int last = -1;

  for (guint i = 0; self->picture != NULL && i < self->picture->tables->len; i++)
    last = MAX (last, self->layers[i]);
  return last;
}

static int
count_rows (PlumbJoinCanvas *self, int columns)
{
  int rows = 0;

  for (int layer = 0; layer <= last_layer (self); layer++)
    rows += rows_of_layer (self, layer, columns);
  return rows;
}

static graphene_rect_t
node_place (PlumbJoinCanvas *self, guint node, int width)
{
  int columns = columns_for_width (width);
  int row = 0, place = 0, n = 0;
  int in_row, span;

  for (int layer = 0; layer < self->layers[node]; layer++)
    row += rows_of_layer (self, layer, columns);
  for (guint i = 0; i < self->picture->tables->len; i++) {
    if (self->layers[i] == self->layers[node]) {
      place += i < node;
      n++;
    }
  }
  row += place / columns;
  in_row = MIN (columns, n - place / columns * columns);
  span = in_row * NODE_WIDTH + (in_row - 1) * GAP_ACROSS;
  return GRAPHENE_RECT_INIT ((width - span) / 2 + place % columns * (NODE_WIDTH + GAP_ACROSS),
                             MARGIN + row * (NODE_HEIGHT + GAP_DOWN), NODE_WIDTH, NODE_HEIGHT);
}

/* The curve of an edge: two ends and two points that pull it. */
typedef struct {
  double x[4];
  double y[4];
} Curve;

static Curve
loop_curve (const graphene_rect_t *place)
{
  double x = place->origin.x + place->size.width, y = place->origin.y;

  return (Curve){ { x, x + LOOP_REACH, x + LOOP_REACH, x },
                  { y + 12, y - 4, y + NODE_HEIGHT + 4, y + NODE_HEIGHT - 12 } };
}

/* Where on the border of a table the edge at @place of the picture starts: edges are spread over
 * it. */
static double
spread (PlumbJoinCanvas *self, guint edge, int node)
{
  int before = 0, n = 0;

  for (guint i = 0; i < self->picture->edges->len; i++) {
    const PlumbJoinEdge *other = g_ptr_array_index (self->picture->edges, i);
    gboolean touches = end_of (self, other, FALSE) == node || end_of (self, other, TRUE) == node;

    before += touches && i < edge;
    n += touches;
  }
  return n > 1 ? (before + 1.0) / (n + 1.0) : 0.5;
}

static Curve
edge_curve (PlumbJoinCanvas *self, guint place, int width)
{
  const PlumbJoinEdge *edge = g_ptr_array_index (self->picture->edges, place);
  int left = end_of (self, edge, FALSE), right = end_of (self, edge, TRUE);
  graphene_rect_t a = node_place (self, left, width), b = node_place (self, right, width);
  double ax = a.origin.x + a.size.width * spread (self, place, left);
  double bx = b.origin.x + b.size.width * spread (self, place, right);
  double ay, by, pull;

  if (left == right)
    return loop_curve (&a);
  if (a.origin.y == b.origin.y) {
    /* Side by side: over the gap between them, a little below. */
    ay = a.origin.y + a.size.height;
    by = b.origin.y + b.size.height;
    pull = GAP_DOWN * 0.6;
    return (Curve){ { ax, ax, bx, bx }, { ay, ay + pull, by + pull, by } };
  }
  ay = a.origin.y < b.origin.y ? a.origin.y + a.size.height : a.origin.y;
  by = a.origin.y < b.origin.y ? b.origin.y : b.origin.y + b.size.height;
  pull = (by - ay) / 2;
  return (Curve){ { ax, ax, bx, bx }, { ay, ay + pull, by - pull, by } };
}

static void
curve_at (const Curve *curve, double t, double *x, double *y)
{
  double u = 1 - t;
  double w[4] = { u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t };

  *x = *y = 0;
  for (int i = 0; i < 4; i++) {
    *x += w[i] * curve->x[i];
    *y += w[i] * curve->y[i];
  }
}

static gboolean
is_lit (PlumbJoinCanvas *self, const PlumbJoinEdge *edge)
{
  int ends[] = { end_of (self, edge, FALSE), end_of (self, edge, TRUE) };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    GtkWidget *node = g_ptr_array_index (self->nodes, ends[i]);

    if ((gtk_widget_get_state_flags (node) &
         (GTK_STATE_FLAG_PRELIGHT | GTK_STATE_FLAG_FOCUS_VISIBLE)) != 0)
      return TRUE;
  }
  return FALSE;
}

static void
draw_edge (PlumbJoinCanvas *self, cairo_t *cr, guint place)
{
  const double dashes[] = { 5, 4 };
  const PlumbJoinEdge *edge = g_ptr_array_index (self->picture->edges, place);
  Curve curve = edge_curve (self, place, gtk_widget_get_width (GTK_WIDGET (self)));
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  gboolean lit = is_lit (self, edge);
  GdkRGBA color;

  gtk_style_context_get_color (context, &color);
  if (lit)
    gtk_style_context_lookup_color (context, "accent_color", &color);
  else
    color.alpha *= 0.55;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, lit ? 2.5 : 1.5);
  cairo_set_dash (cr, dashes, edge->trust >= 3 || edge->state != PLUMB_EDGE_ACTIVE ? 2 : 0, 0);
  cairo_move_to (cr, curve.x[0], curve.y[0]);
  cairo_curve_to (cr, curve.x[1], curve.y[1], curve.x[2], curve.y[2], curve.x[3], curve.y[3]);
  cairo_stroke (cr);
}

/* "N" or "1" beside an end of the edge, where it leaves its table. */
static void
append_end (PlumbJoinCanvas *self, GtkSnapshot *snapshot, guint place, gboolean right)
{
  const PlumbJoinEdge *edge = g_ptr_array_index (self->picture->edges, place);
  Curve curve = edge_curve (self, place, gtk_widget_get_width (GTK_WIDGET (self)));
  g_auto (GStrv) ends = g_strsplit (plumb_wording_cardinality (edge->cardinality), " : ", 2);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), ends[right]);
  gboolean below = right ? curve.y[2] > curve.y[3] : curve.y[1] > curve.y[0];
  double x = curve.x[right ? 3 : 0], y = curve.y[right ? 3 : 0];
  int height;
  GdkRGBA color;

  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x + 5, below ? y + 2 : y - height - 2));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

static void
plumb_join_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlumbJoinCanvas *self = PLUMB_JOIN_CANVAS (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget),
                                               gtk_widget_get_height (widget));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  for (guint i = 0; self->picture != NULL && i < self->picture->edges->len; i++)
    draw_edge (self, cr, i);
  cairo_destroy (cr);
  for (guint i = 0; self->picture != NULL && i < self->picture->edges->len; i++) {
    append_end (self, snapshot, i, FALSE);
    append_end (self, snapshot, i, TRUE);
  }
  GTK_WIDGET_CLASS (plumb_join_canvas_parent_class)->snapshot (widget, snapshot);
}

static GtkSizeRequestMode
plumb_join_canvas_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
plumb_join_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  PlumbJoinCanvas *self = PLUMB_JOIN_CANVAS (widget);
  int width = for_size > 0 ? for_size : 2 * NODE_WIDTH + GAP_ACROSS + 2 * MARGIN;
  int rows = count_rows (self, columns_for_width (width));

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = NODE_WIDTH + 2 * MARGIN;
    *natural = 2 * NODE_WIDTH + GAP_ACROSS + 2 * MARGIN;
  } else {
    *minimum = *natural = 2 * MARGIN + rows * NODE_HEIGHT + MAX (rows - 1, 0) * GAP_DOWN +
                          (rows == 1 ? GAP_DOWN / 2 : 0);
  }
}

static void
allocate_at (GtkWidget *child, double x, double y, int width, int height)
{
  graphene_point_t point = GRAPHENE_POINT_INIT (x, y);

  gtk_widget_allocate (child, width, height, -1, gsk_transform_translate (NULL, &point));
}

static void
plumb_join_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PlumbJoinCanvas *self = PLUMB_JOIN_CANVAS (widget);

  for (guint i = 0; self->nodes != NULL && i < self->nodes->len; i++) {
    graphene_rect_t place = node_place (self, i, width);

    allocate_at (g_ptr_array_index (self->nodes, i), place.origin.x, place.origin.y, NODE_WIDTH,
                 NODE_HEIGHT);
  }
  for (guint i = 0; self->labels != NULL && i < self->labels->len; i++) {
    GtkWidget *label = g_ptr_array_index (self->labels, i);
    Curve curve = edge_curve (self, i, width);
    GtkRequisition size;
    double x, y;

    gtk_widget_get_preferred_size (label, NULL, &size);
    curve_at (&curve, 0.5, &x, &y);
    allocate_at (label, CLAMP (x - size.width / 2.0, 0, MAX (width - size.width, 0)),
                 y - size.height / 2.0, size.width, size.height);
  }
}

static void
on_node_clicked (GtkButton *button, PlumbJoinCanvas *self)
{
  for (guint i = 0; i < self->nodes->len; i++) {
    if (g_ptr_array_index (self->nodes, i) == (gpointer) button) {
      g_autofree char *name = plumb_table_name_format (
          g_ptr_array_index (self->picture->tables, i));

      g_signal_emit (self, signals[TABLE_ACTIVATED], 0, name);
      return;
    }
  }
}

static GtkWidget *
new_node (PlumbJoinCanvas *self, const PlumbTableName *table, gboolean asked)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new (table->table);
  GtkWidget *place = gtk_label_new (table->database);
  g_autofree char *full = plumb_table_name_format (table);

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (name, "heading");
  gtk_widget_add_css_class (place, "caption");
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), place);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_set_tooltip_text (button, full);
  gtk_widget_add_css_class (button, "join-node");
  if (asked)
    gtk_widget_add_css_class (button, "asked");
  g_signal_connect (button, "clicked", G_CALLBACK (on_node_clicked), self);
  g_signal_connect_object (button, "state-flags-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  return button;
}

static GtkWidget *
new_edge_label (PlumbJoinCanvas *self, const PlumbJoinEdge *edge)
{
  g_autofree char *keys = plumb_join_picture_keys (edge);
  GtkWidget *label = gtk_label_new (keys);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 22);
  gtk_widget_set_tooltip_text (label, plumb_wording_trust (edge->trust));
  gtk_widget_add_css_class (label, "join-label");
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  return label;
}

static void
clear_children (PlumbJoinCanvas *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->layers, g_free);
  g_clear_pointer (&self->picture, plumb_join_picture_free);
}

/** plumb_join_canvas_take_picture: draws @picture, which it takes over; %NULL draws nothing */
void
plumb_join_canvas_take_picture (PlumbJoinCanvas *self, PlumbJoinPicture *picture)
{
  clear_children (self);
  if (picture != NULL) {
    self->picture = picture;
    self->nodes = g_ptr_array_new ();
    self->labels = g_ptr_array_new ();
    find_layers (self);
    /* Tables come first among the children, so that Tab goes from table to table. */
    for (guint i = 0; i < picture->tables->len; i++)
      g_ptr_array_add (self->nodes, new_node (self, g_ptr_array_index (picture->tables, i),
                                              i < picture->n_asked));
    for (guint i = 0; i < picture->edges->len; i++)
      g_ptr_array_add (self->labels, new_edge_label (self, g_ptr_array_index (picture->edges, i)));
  }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
plumb_join_canvas_dispose (GObject *object)
{
  clear_children (PLUMB_JOIN_CANVAS (object));
  G_OBJECT_CLASS (plumb_join_canvas_parent_class)->dispose (object);
}

static void
plumb_join_canvas_class_init (PlumbJoinCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_join_canvas_dispose;
  widget_class->snapshot = plumb_join_canvas_snapshot;
  widget_class->measure = plumb_join_canvas_measure;
  widget_class->size_allocate = plumb_join_canvas_size_allocate;
  widget_class->get_request_mode = plumb_join_canvas_get_request_mode;

  signals[TABLE_ACTIVATED] = g_signal_new ("table-activated", PLUMB_TYPE_JOIN_CANVAS,
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                           G_TYPE_STRING);
  gtk_widget_class_set_css_name (widget_class, "joincanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
plumb_join_canvas_init (PlumbJoinCanvas *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Tables and their joins"), -1);
}
