import type { KeyObject } from 'node:crypto'
import type { ArchiveFiles, ArchiveSubject, ArchiveTurn } from '../../application/ports/archives.ts'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.ts'
import { derivedKey } from '../../application/secrets/keys.ts'
import { openBytes, sealBytes } from '../../application/secrets/sealed-bytes.ts'
import type { ByteStore, StoredForm } from './byte-store.ts'

/** A part holds this many bytes of the archive; the last one holds fewer. This much is in memory at once. */
export const part_bytes = 1024 * 1024

const folder = 'archives'

export const archiveForm: StoredForm = { extension: '.part', mediaType: 'application/octet-stream' }

/**
 * Archives in sealed parts: `archives/<subject>/<archive>/<turn>/<number>`. The key of an account's archives derives from the
 * account's key, so nothing but that has to be destroyed to make them unreadable. The key of a guild's archives derives from
 * PERSONAL_DATA_KEY.
 */
export function archiveFilesIn(
  store: ByteStore,
  keys: Pick<PersonalDataKeys, 'keysFor'>,
  personalDataKey: Uint8Array,
): ArchiveFiles {
  const subjectKey = async (subject: ArchiveSubject): Promise<Uint8Array> => {
    if (subject.type === 'guild') return personalDataKey
    const key = (await keys.keysFor([subject.id])).get(subject.id)
    if (!key) throw new AccountErased('the key of the account is destroyed')
    return key
  }
  const keyOf = async ({ subject, archiveId }: ArchiveTurn): Promise<KeyObject> =>
    derivedKey(await subjectKey(subject), `guildhall archive ${archiveId} v1`)
  return {
    async write(turn, bytes) {
      const key = await keyOf(turn)
      let [size_bytes, parts_count] = [0, 0]
      for await (const part of inParts(bytes)) {
        await store.put(nameOf(turn, parts_count), sealBytes(key, contextOf(turn, parts_count), part))
        size_bytes += part.length
        parts_count += 1
      }
      return { size_bytes, parts_count }
    },
    async *read(turn, parts_count) {
      const key = await keyOf(turn)
      for (let number = 0; number < parts_count; number += 1) {
        const sealed = await store.get(nameOf(turn, number))
        if (!sealed) throw new Error('a part of an archive is missing')
        yield openBytes(key, contextOf(turn, number), sealed)
      }
    },
    removeTurn: (turn) => store.removeFolder(folderOf(turn)),
    remove: ({ subject, archiveId }) => store.removeFolder(`${folder}/${subject.id}/${archiveId}/`),
    removeAllOf: (account) => store.removeFolder(`${folder}/${account}/`),
  }
}

/** The archive's account is erased. */
export class AccountErased extends Error {
  override readonly name = 'AccountErased'
}

const part_digits = 6

const folderOf = ({ subject, archiveId, turn }: ArchiveTurn): string => `${folder}/${subject.id}/${archiveId}/${turn}/`

/** With leading zeros, so that the order of names is that of the parts. */
function nameOf(turn: ArchiveTurn, number: number): string {
  return `${folderOf(turn)}${String(number).padStart(part_digits, '0')}`
}

const contextOf = ({ archiveId, turn }: ArchiveTurn, number: number): readonly string[] => [
  'archive',
  archiveId,
  String(turn),
  String(number),
]

/** The same bytes, in pieces of `part_bytes`. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    let rest = piece
    while (length + rest.length >= part_bytes) {
      const taken = part_bytes - length
      yield Buffer.concat([...pieces, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      ;[pieces, length] = [[], 0]
    }
    if (rest.length === 0) continue
    // A copy: the piece may be part of a larger buffer, which would stay in memory with it.
    pieces.push(Buffer.from(rest))
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(pieces)
}
