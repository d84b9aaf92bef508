/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "xapian-peer.h"

#include <cstdlib>
#include <string>
#include <vector>
#include <xapian.h>

struct Peer {
  std::string folder;
  Xapian::WritableDatabase database;
};

void *
xapian_peer_new (void)
{
  char folder[] = "/tmp/plumbline-xapian-XXXXXX";
  Peer *peer = new Peer;

  if (mkdtemp (folder) == nullptr)
    abort ();
  peer->folder = folder;
  peer->database = Xapian::WritableDatabase (peer->folder + "/db", Xapian::DB_CREATE_OR_OVERWRITE);
  return peer;
}

void
xapian_peer_add (void *data, const char *const *words)
{
  Xapian::Document document;

  for (; *words != nullptr; words++)
    document.add_term (*words);
  static_cast<Peer *> (data)->database.add_document (document);
}

void
xapian_peer_commit (void *data)
{
  static_cast<Peer *> (data)->database.commit ();
}

unsigned
xapian_peer_search (void *data, const char *const *words, unsigned limit)
{
  std::vector<std::string> terms;
  Xapian::Enquire enquire (static_cast<Peer *> (data)->database);

  for (; *words != nullptr; words++)
    terms.push_back (*words);
  enquire.set_query (Xapian::Query (Xapian::Query::OP_OR, terms.begin (), terms.end ()));
  return enquire.get_mset (0, limit).size ();
}

void
xapian_peer_free (void *data)
{
  Peer *peer = static_cast<Peer *> (data);
  std::string command = "rm -rf " + peer->folder;

  peer->database.close ();
  delete peer;
  if (system (command.c_str ()) != 0)
    abort ();
}
