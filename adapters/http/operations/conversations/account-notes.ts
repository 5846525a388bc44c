import { z } from 'zod'
import { getNote, listNotes } from '../../../../application/conversations/account-notes/read-notes.ts'
import { setNote } from '../../../../application/conversations/account-notes/set-note.ts'
import { parsed } from '../../../../domain/kernel/parsed.ts'
import { parseText } from '../../../../domain/text/normalise.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { accountIdInput, orNull, readBy } from '../../schemas/scalars.ts'

const note_max = 256
const read = perUser('user:notes:read', { requests: 60, seconds: 10 })
const about = z.object({ user_id: accountIdInput })

/** An empty text counts as absent; one that is blank is of a wrong length. */
const noteInput = readBy((text) => (text === '' ? parsed(null) : parseText(text, { min: 1, max: note_max })), {
  min: 0,
  max: note_max,
})

const listNotesOperation = operation({
  name: 'List notes',
  description: "The caller's notes about accounts.",
  route: 'GET /v1/users/@me/notes',
  callers: accounts(),
  bucket: read,
  replies: { 200: z.record(z.string(), z.string()).describe('By the ids of the accounts.') },
  refuses: [],
  useCase: listNotes,
  handle: ({ caller }, run) => run(caller),
})

const getNoteOperation = operation({
  name: 'Get note',
  description: "The caller's note about an account.",
  route: 'GET /v1/users/@me/notes/:user_id',
  callers: accounts(),
  bucket: read,
  params: about,
  replies: { 200: z.object({ note: z.string() }) },
  refuses: ['UNKNOWN_USER'],
  useCase: getNote,
  handle: async ({ caller, params }, run) => ({ note: await run(caller, params.user_id) }),
})

const setNoteOperation = operation({
  name: 'Set note',
  description: 'Notes something about an account, for the caller alone, or removes the note.',
  route: 'PUT /v1/users/@me/notes/:user_id',
  callers: accounts(),
  bucket: perUser('user:notes:write', { requests: 40, seconds: 10 }),
  params: about,
  body: z.object({ note: orNull(noteInput).meta({ description: 'Null, an empty text or none removes the note.' }) }),
  exampleBody: { note: 'Met at the fair' },
  replies: { 204: none },
  refuses: ['UNKNOWN_USER'],
  useCase: setNote,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, body.note),
})

/** Notes of accounts about accounts. */
export const accountNoteOperations: readonly Operation[] = [listNotesOperation, getNoteOperation, setNoteOperation]
