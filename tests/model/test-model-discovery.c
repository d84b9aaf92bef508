/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "peer.h"
#include "plumb-endpoint.h"

/* One model server, one that wants a key, and other programs on the ports: a web server, one that
 * never answers, one that hangs up, and none at all. */
static void
test_other_programs (void)
{
  Peer *peers[6];
  PlumbUsualPort ports[6];
  g_autoptr (GPtrArray) found = NULL;
  PlumbFoundServer *server;
  gint64 start;

  for (guint i = 0; i < 6; i++) {
    peers[i] = peer_new ();
    ports[i] = (PlumbUsualPort) { i == 0 ? "First" : "Other", peer_get_port (peers[i]) };
  }
  peer_add_status (peers[0], 200, NULL, "{\"data\":[{\"id\":\"one\"}]}");
  peer_add_status (peers[1], 200, NULL, "<html>");
  peer_add (peers[2], PEER_HOLD, "");
  peer_add (peers[3], PEER_CLOSE, "");
  peer_add_status (peers[4], 401, NULL, "{\"error\":{\"message\":\"No api key passed in.\"}}");
  peer_free (peers[5]);
  start = g_get_monotonic_time ();
  found = plumb_model_discover_at (ports, 6, NULL);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
  g_assert_cmpuint (found->len, ==, 2);
  server = g_ptr_array_index (found, 0);
  g_assert_cmpstr (server->title, ==, "First");
  g_assert_cmpstr (server->models[0], ==, "one");
  g_assert_null (server->models[1]);
  g_assert_true (g_str_has_suffix (server->base_address, "/v1"));
  server = g_ptr_array_index (found, 1);
  g_assert_null (server->models[0]);
  for (guint i = 0; i < 5; i++)
    peer_free (peers[i]);
}

static void
test_cancelled (void)
{
  g_autoptr (Peer) peer = peer_new ();
  PlumbUsualPort port = { "Slow", peer_get_port (peer) };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GPtrArray) found = NULL;

  peer_add (peer, PEER_HOLD, "");
  g_cancellable_cancel (cancellable);
  found = plumb_model_discover_at (&port, 1, cancellable);
  g_assert_cmpuint (found->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-discovery/other-programs", test_other_programs);
  g_test_add_func ("/model-discovery/cancelled", test_cancelled);
  return g_test_run ();
}
