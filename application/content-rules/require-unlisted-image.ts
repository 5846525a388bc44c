import { createHash } from 'node:crypto'
import type { Ports } from '../ports.js'
import { requireUnlisted } from './require-unlisted.js'

type Needs = Pick<Ports, 'blocklistBox' | 'queries'>

/** Demands that a file may be taken in: CONTENT_BLOCKED where the list file-sha has its SHA-256 (reference stores 4.13). */
export async function requireUnlistedFile(needs: Needs, bytes: Uint8Array): Promise<void> {
  await requireUnlisted(needs, 'file-sha', [createHash('sha256').update(bytes).digest('hex')])
}

/**
 * Demands that somebody may be shown with an image: CONTENT_BLOCKED where the list avatar-hash has what it is called, moving or
 * at rest (reference stores 4.13).
 */
export async function requireUnlistedAvatar(needs: Needs, hash: string): Promise<void> {
  const atRest = hash.replace(/^a_/, '')
  await requireUnlisted(needs, 'avatar-hash', [atRest, `a_${atRest}`])
}
