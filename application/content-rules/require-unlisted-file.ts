import { createHash } from 'node:crypto'
import type { Attachment } from '../../domain/messages/attachments.ts'
import type { Ports } from '../ports.ts'
import { requireUnlisted } from './require-unlisted.ts'

type Needs = Pick<Ports, 'blocklistBox' | 'queries'>

/** Demands that a file may be uploaded: CONTENT_BLOCKED if the list file-sha has its SHA-256. */
export async function requireUnlistedFile(needs: Needs, bytes: Uint8Array): Promise<void> {
  await requireUnlisted(needs, 'file-sha', [createHash('sha256').update(bytes).digest('hex')])
}

/** Demands that messages may show files, as they are kept: CONTENT_BLOCKED if the list file-sha has the SHA-256 of one. */
export async function requireUnlistedFiles(
  needs: Needs,
  files: readonly Pick<Attachment, 'contentHash'>[],
): Promise<void> {
  const hashes = files.flatMap(({ contentHash }) => contentHash ?? [])
  if (hashes.length > 0) await requireUnlisted(needs, 'file-sha', hashes)
}

/**
 * Demands that an image may be somebody's avatar: CONTENT_BLOCKED if the list avatar-hash has its hash,
 * animated or not.
 */
export async function requireUnlistedAvatar(needs: Needs, hash: string): Promise<void> {
  const atRest = hash.replace(/^a_/, '')
  await requireUnlisted(needs, 'avatar-hash', [atRest, `a_${atRest}`])
}
