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
#define FORMAT 3
#define ALIGNMENT 8

/* Large sections have a sum for each block of so many bytes: to read all of a file takes longer than a search. */
#define BLOCK (64 * 1024)

typedef struct {
  char magic[8];
  guint32 byte_order;
  guint32 format;
  guint64 length;
  guint64 sum;        /* of what follows in the header, and of the small sections */
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
  guint8 *checked;    /* for each block of the large sections; NULL where nothing is to be compared */
  gboolean damaged;
};

static gboolean
is_large (guint section)
{
  return section > PLUMB_SECTION_SUMS;
}

static gsize
count_blocks (gsize length)
{
  return length / BLOCK + (length % BLOCK != 0);
}

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
  g_free (self->checked);
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

static gsize
get_length (const PlumbImage *self, guint section)
{
  return self->sections[section] != NULL ? g_bytes_get_size (self->sections[section]) : 0;
}

static const guint8 *
get_bytes (const PlumbImage *self, guint section)
{
  return self->sections[section] != NULL ? g_bytes_get_data (self->sections[section], NULL) : NULL;
}

/* The sum of the header behind its own sum, and of the small sections. */
static guint64
sum_up (const PlumbImage *self, const Header *header)
{
  gsize start = G_STRUCT_OFFSET (Header, maker);
  guint64 sum = plumb_image_sum ((const guint8 *) header + start, sizeof *header - start, FORMAT);

  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    if (!is_large (i))
      sum = plumb_image_sum (get_bytes (self, i), get_length (self, i), sum);
  }
  return sum;
}

/* Blocks of the large sections before @section. */
static gsize
get_first_block (const PlumbImage *self, guint section)
{
  gsize n = 0;

  for (guint i = 0; i < section; i++)
    n += is_large (i) ? count_blocks (get_length (self, i)) : 0;
  return n;
}

static guint64
sum_block (const PlumbImage *self, guint section, gsize block)
{
  gsize start = block * BLOCK;

  return plumb_image_sum (get_bytes (self, section) + start, MIN (BLOCK, get_length (self, section) - start), block);
}

/**
 * plumb_image_check:
 * @section: one of the large sections
 * @offset: the first byte that is to be read
 * @length: how many
 *
 * Compares the sums of what is to be read, the first time.
 *
 * Returns: %FALSE where it isn't there or damaged
 */
gboolean
plumb_image_check (PlumbImage *self, PlumbSection section, gsize offset, gsize length)
{
  gsize size = get_length (self, section), first, n;
  const guint64 *sums;

  if (offset > size || length > size - offset)
    return FALSE;
  if (self->checked == NULL || length == 0)
    return TRUE;
  sums = plumb_image_get (self, PLUMB_SECTION_SUMS, sizeof *sums, &n);
  first = get_first_block (self, section);
  for (gsize i = offset / BLOCK; i <= (offset + length - 1) / BLOCK; i++) {
    if (__atomic_load_n (&self->checked[first + i], __ATOMIC_RELAXED))
      continue;
    if (first + i >= n || sums[first + i] != sum_block (self, section, i)) {
      __atomic_store_n (&self->damaged, TRUE, __ATOMIC_RELAXED);
      return FALSE;
    }
    __atomic_store_n (&self->checked[first + i], TRUE, __ATOMIC_RELAXED);
  }
  return TRUE;
}

/** plumb_image_is_damaged: Returns: whether plumb_image_check() has found anything that isn't as it was written */
gboolean
plumb_image_is_damaged (const PlumbImage *self)
{
  return __atomic_load_n (&self->damaged, __ATOMIC_RELAXED);
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
 * @check: whether to compare sums
 * @stamp: (out): what it was made of
 *
 * Returns: (transfer full) (nullable): the image, which keeps @bytes; %NULL where it is of another
 *   format, cut off or damaged
 */
PlumbImage *
plumb_image_read (GBytes *bytes, gboolean check, PlumbImageStamp *stamp)
{
  g_autoptr (PlumbImage) self = NULL;
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  Header header;

  if (length < sizeof header)
    return NULL;
  memcpy (&header, data, sizeof header);
  if (!check_header (&header, length))
    return NULL;
  self = plumb_image_new ();
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    guint64 start = header.sections[i].offset, size = header.sections[i].length;

    if (start % ALIGNMENT != 0 || start < sizeof header || start > length || size > length - start)
      return NULL;
    self->sections[i] = g_bytes_new_from_bytes (bytes, start, size);
  }
  if (check && header.sum != sum_up (self, &header))
    return NULL;
  if (check)
    self->checked = g_new0 (guint8, get_first_block (self, PLUMB_N_SECTIONS) + 1);
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

static GBytes *
sum_large_sections (const PlumbImage *self)
{
  gsize n = get_first_block (self, PLUMB_N_SECTIONS);
  guint64 *sums = g_new (guint64, MAX (n, 1)), *next = sums;

  for (guint i = PLUMB_SECTION_SUMS + 1; i < PLUMB_N_SECTIONS; i++) {
    for (gsize block = 0; block < count_blocks (get_length (self, i)); block++)
      *next++ = sum_block (self, i, block);
  }
  return g_bytes_new_take (sums, n * sizeof *sums);
}

static void
make_header (const PlumbImage *self, const PlumbImageStamp *stamp, Header *header)
{
  gsize end = sizeof *header;

  *header = (Header) { .byte_order = BYTE_ORDER_MARK, .format = FORMAT, .maker = stamp->maker,
                       .content = stamp->content, .n_sections = PLUMB_N_SECTIONS };
  memcpy (header->magic, MAGIC, sizeof header->magic);
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    header->sections[i].offset = end;
    header->sections[i].length = get_length (self, i);
    end += header->sections[i].length + pad (header->sections[i].length);
  }
  header->length = end;
  header->sum = sum_up (self, header);
}

static gboolean
write_image (int file, const PlumbImage *self, const PlumbImageStamp *stamp)
{
  static const guint64 nothing;
  PlumbImage summed = *self;
  g_autoptr (GBytes) sums = sum_large_sections (self);
  Header header;

  summed.sections[PLUMB_SECTION_SUMS] = sums;
  make_header (&summed, stamp, &header);
  if (ftruncate (file, 0) != 0 || !write_all (file, &header, sizeof header))
    return FALSE;
  for (guint i = 0; i < PLUMB_N_SECTIONS; i++) {
    gsize length = get_length (&summed, i);

    if (!write_all (file, get_bytes (&summed, i), length) || !write_all (file, &nothing, pad (length)))
      return FALSE;
  }
  return TRUE;
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
  int file = open_new_file (new_path);
  gboolean written = file >= 0 && write_image (file, self, stamp) && rename (new_path, path) == 0;

  if (!written)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s can't be written: %s", path,
                 g_strerror (errno));
  if (!written && file >= 0)
    unlink (new_path);
  if (file >= 0)
    close (file);
  return written;
}
