import { permissionBits, threadPermissions } from './permission-bits.js'

/** What the client of a write declares to understand: the bits that follow from it are its to write. */
export interface DeclaredBits {
  /** Declares `channel_threads`, or is a bot. */
  readonly threads: boolean
  /** Declares `view_channel_members_permission`. */
  readonly channelMembers: boolean
}

/** The bits that a client that does not declare to know them neither sets nor takes (reference gateway 4.4). */
export function undeclaredBits({ threads, channelMembers }: DeclaredBits): bigint {
  return (threads ? 0n : threadPermissions) | (channelMembers ? 0n : permissionBits.VIEW_CHANNEL_MEMBERS)
}

/**
 * The mask that a write leaves: what is wanted, and of the undeclared bits those that are stored. Something new has nothing
 * stored, 0, so that they are cleared (reference gateway 4.4).
 */
export function writtenMask(wanted: bigint, stored: bigint, undeclared: bigint): bigint {
  return (wanted & ~undeclared) | (stored & undeclared)
}
