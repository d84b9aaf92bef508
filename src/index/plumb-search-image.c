/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-image.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file: a header, then the sections one after the other, each at a multiple of eight bytes. It
 * is in the byte order of its machine, since it can always be made again. */
#define MAGIC "PlmbSrch"
#define BYTE_ORDER_MARK 0x01020304
#define FORMAT 2
#define ALIGNMENT 8

typedef struct {
  char magic[8];
  guint32 byte_order;
  guint32 format;
  guint64 length;
  guint64 sum;        /* of all that follows this number */
  guint64 maker;
  guint64 content;
  guint64 n_sections;
  struct {
    guint64 offset;
    guint64 length;
  } sections[PLUMB_N_SECTIONS];
} Header;

struct _PlumbImage {
  GBytes *sections[PLUMB_N_SECTIONS];
};

/** plumb_image_new: Returns: (transfer full): an image whose sections are empty */
PlumbImage *
plumb_image_new (void)
{
  return g_atomic_rc_box_new0 (PlumbImage);
}

/** plumb_image_ref: Returns: (transfer full): @self with one more reference */
PlumbImage *
plumb_image_ref (PlumbImage *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
image_clear (PlumbImage *self)
{
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++)
    g_clear_pointer (&self->sections[i], g_bytes_unref);
}

/** plumb_image_unref: gives a reference back */
void
plumb_image_unref (PlumbImage *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) image_clear);
}

/** plumb_image_take: sets a section to @data, which is freed with the image */
void
plumb_image_take (PlumbImage *self, PlumbSection section, gpointer data, gsize length)
{
  g_clear_pointer (&self->sections[section], g_bytes_unref);
  self->sections[section] = g_bytes_new_take (data, length);
}

/** plumb_image_take_array: sets a section to what is in @array, which is empty afterwards */
void
plumb_image_take_array (PlumbImage *self, PlumbSection section, GArray *array)
{
  gsize n, size = g_array_get_element_size (array);
  gpointer data = g_array_steal (array, &n);

  plumb_image_take (self, section, data, n * size);
}

/**
 * plumb_image_get:
 * @section: a section
 * @size: bytes of an element
 * @n: (out): whole elements in @section
 *
 * Returns: (transfer none): the elements; something of no elements where the section is empty
 */
gconstpointer
plumb_image_get (const PlumbImage *self, PlumbSection section, gsize size, gsize *n)
{
  static const guint64 nothing;
  gsize length = 0;
  gconstpointer data = self->sections[section] != NULL ? g_bytes_get_data (self->sections[section], &length) : NULL;

  *n = length / size;
  return data != NULL ? data : &nothing;
}

static guint64
rotate (guint64 value, guint bits)
{
  return (value << bits) | (value >> (64 - bits));
}

/**
 * plumb_image_sum:
 * @data: bytes
 * @length: how many
 * @seed: where to begin
 *
 * A check sum at the speed of memory: four lanes of 64 bits, as xxHash has them. It tells damage,
 * not malice: readers check what they read all the same.
 *
 * Returns: the sum
 */
guint64
plumb_image_sum (gconstpointer data, gsize length, guint64 seed)
{
  static const guint64 one = G_GUINT64_CONSTANT (0x9e3779b185ebca87), two = G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
  const guint8 *bytes = data;
  guint64 lanes[4] = { seed + one, seed ^ two, seed, seed - one };
  guint64 sum = length * one;

  for (; length >= 32; length -= 32, bytes += 32) {
    guint64 words[4];

    memcpy (words, bytes, sizeof words);
    for (guint i = 0; i < 4; i++)
      lanes[i] = rotate (lanes[i] + words[i] * two, 31) * one;
  }
  for (guint i = 0; i < 4; i++)
    sum = rotate (sum ^ lanes[i], 27) * one + two;
  for (; length >= 8; length -= 8, bytes += 8) {
    guint64 word;

    memcpy (&word, bytes, sizeof word);
    sum = rotate (sum ^ word * two, 29) * one;
  }
  for (; length > 0; length--, bytes++)
    sum = rotate (sum ^ *bytes * one, 11) * two;
  return sum ^ (sum >> 32);
}

static gboolean
check_header (const Header *header, gsize length)
{
  return memcmp (header->magic, MAGIC, sizeof header->magic) == 0 && header->byte_order == BYTE_ORDER_MARK &&
         header->format == FORMAT && header->length == length && header->n_sections == PLUMB_N_SECTIONS;
}

/**
 * plumb_image_read:
 * @bytes: what plumb_image_save() wrote
 * @check: whether to compare the check sum
 * @stamp: (out): what it was made of
 *
 * Returns: (transfer full) (nullable): the image, which keeps @bytes; %NULL where it is of another
 *   format, cut off or damaged
 */
PlumbImage *
plumb_image_read (GBytes *bytes, gboolean check, PlumbImageStamp *stamp)
{
  g_autoptr (PlumbImage) self = NULL;
  gsize length, summed = G_STRUCT_OFFSET (Header, maker);
  const guint8 *data = g_bytes_get_data (bytes, &length);
  Header header;

  if (length < sizeof header)
    return NULL;
  memcpy (&header, data, sizeof header);
  if (!check_header (&header, length) ||
      (check && header.sum != plumb_image_sum (data + summed, length - summed, FORMAT)))
    return NULL;
  self = plumb_image_new ();
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    guint64 start = header.sections[i].offset, size = header.sections[i].length;

    if (start % ALIGNMENT != 0 || start < sizeof header || start > length || size > length - start)
      return NULL;
    self->sections[i] = g_bytes_new_from_bytes (bytes, start, size);
  }
  *stamp = (PlumbImageStamp) { header.maker, header.content };
  return g_steal_pointer (&self);
}

/** plumb_image_map: Returns: (transfer full) (nullable): the image in the file @path, %NULL where there
 *  is none that can be used */
PlumbImage *
plumb_image_map (const char *path, PlumbImageStamp *stamp)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (GBytes) bytes = file != NULL ? g_mapped_file_get_bytes (file) : NULL;

  return bytes != NULL ? plumb_image_read (bytes, TRUE, stamp) : NULL;
}

static gboolean
write_all (int file, gconstpointer data, gsize length)
{
  const char *bytes = data;

  while (length > 0) {
    gssize n = write (file, bytes, MIN (length, 1 << 30));

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    bytes += n;
    length -= n;
  }
  return TRUE;
}

static gsize
pad (gsize length)
{
  return (ALIGNMENT - length % ALIGNMENT) % ALIGNMENT;
}

/* One long buffer, so that the sum is that of the bytes as they are read again. */
static guint8 *
make_file (const PlumbImage *self, const PlumbImageStamp *stamp, gsize *length)
{
  Header header = { .byte_order = BYTE_ORDER_MARK, .format = FORMAT, .maker = stamp->maker,
                    .content = stamp->content, .n_sections = PLUMB_N_SECTIONS };
  gsize end = sizeof header, summed = G_STRUCT_OFFSET (Header, maker);
  guint8 *file;

  memcpy (header.magic, MAGIC, sizeof header.magic);
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    header.sections[i].offset = end;
    header.sections[i].length = self->sections[i] != NULL ? g_bytes_get_size (self->sections[i]) : 0;
    end += header.sections[i].length + pad (header.sections[i].length);
  }
  header.length = end;
  file = g_try_malloc (end);
  if (file == NULL)
    return NULL;
  memcpy (file, &header, sizeof header);
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    gsize size = header.sections[i].length;
    guint8 *start = file + header.sections[i].offset;

    if (size > 0)
      memcpy (start, g_bytes_get_data (self->sections[i], NULL), size);
    memset (start + size, 0, pad (size));
  }
  header.sum = plumb_image_sum (file + summed, end - summed, FORMAT);
  memcpy (file, &header, sizeof header);
  *length = end;
  return file;
}

/* The file that becomes @path when it is whole, -1 where another program is writing it. A program that
 * was killed leaves one behind, which the next one goes on with. */
static int
open_new_file (const char *path)
{
  int file = g_open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  struct stat ours, there;

  /* Whoever had the lock before may have given the file its name meanwhile: readers have it mapped. */
  if (file >= 0 && (fcntl (file, F_OFD_SETLK, &lock) != 0 || fstat (file, &ours) != 0 ||
                    stat (path, &there) != 0 || ours.st_ino != there.st_ino || ours.st_dev != there.st_dev)) {
    close (file);
    errno = EAGAIN;
    return -1;
  }
  return file;
}

/**
 * plumb_image_save:
 * @stamp: what the image is made of
 * @path: the file, which is replaced as a whole
 * @error: return location
 *
 * Whoever has the file mapped keeps what was there. What is written isn't durable: after a power cut
 * the sum tells that it isn't whole.
 *
 * Returns: whether it is written; otherwise there is what there was before
 */
gboolean
plumb_image_save (const PlumbImage *self, const PlumbImageStamp *stamp, const char *path, GError **error)
{
  g_autofree char *new_path = g_strconcat (path, "-new", NULL);
  g_autofree guint8 *content = NULL;
  gsize length = 0;
  int file = open_new_file (new_path);
  gboolean written;

  if (file >= 0)
    content = make_file (self, stamp, &length);
  written = content != NULL && ftruncate (file, 0) == 0 && write_all (file, content, length) &&
            rename (new_path, path) == 0;
  if (!written)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s can't be written: %s", path,
                 g_strerror (errno));
  if (!written && file >= 0)
    unlink (new_path);
  if (file >= 0)
    close (file);
  return written;
}
