package gitmirror

import "context"

// shelf is where the answers of git about a few objects stand. On the zero shelf
// each content has memory of its own; on one that is used again they stand one
// after another, until the next.
type shelf struct {
	reused  bool
	room    []byte
	names   []string
	headers []header
	bodies  [][]byte
}

// takeShelf returns a shelf that is used again: reading a whole tree would else
// leave its size behind as garbage. Whoever reads while another does has a new one.
func (r *Repo) takeShelf() *shelf {
	if s := r.spare.Swap(nil); s != nil {
		return s
	}
	return &shelf{reused: true}
}

// shelfRoom holds what is read ahead of its consumer, with a line end after each.
const shelfRoom = batchBytes + batchNames

// giveBack lets others use the shelf. Room that a large object took is not kept.
func (r *Repo) giveBack(s *shelf) {
	if len(s.room) > shelfRoom {
		s.room = nil
	}
	clear(s.names[:cap(s.names)])
	clear(s.headers[:cap(s.headers)])
	clear(s.bodies[:cap(s.bodies)])
	r.spare.Store(s)
}

// ask is catFile.infos about ids, of which there are at most batchNames.
func (s *shelf) ask(ctx context.Context, c *catFile, oids []OID) (infos []header, err error) {
	s.names = s.names[:0]
	for _, oid := range oids {
		s.names = append(s.names, string(oid))
	}
	infos, err = c.infos(ctx, s.names, s.headers[:0])
	if s.reused {
		s.headers = infos
	}
	return infos, err
}

// clear takes away the contents that stood on the shelf and makes room for those of
// the objects, with a line end after each. It returns the objects' names and a slice
// for their contents.
func (s *shelf) clear(objects []header) (names []string, bodies [][]byte) {
	names = s.names[:0]
	var size int64
	for _, o := range objects {
		names = append(names, string(o.oid))
		size += o.size + 1
	}
	if !s.reused {
		return names, nil
	}
	if room := int64(len(s.room)); room < size {
		s.room = make([]byte, max(size, min(2*room, shelfRoom)))
	}
	if cap(s.bodies) == 0 {
		s.bodies = make([][]byte, 0, batchNames)
	}
	s.names = names
	return names, s.bodies[:0]
}

// place is the room for n bytes behind the first at bytes.
func (s *shelf) place(at, n int64) []byte {
	if !s.reused {
		return make([]byte, n)
	}
	return s.room[at : at+n : at+n]
}
