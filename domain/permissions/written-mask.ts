import { permissionBits, threadPermissions } from './permission-bits.ts'

/** The capabilities that a client declares, which decide the bits that it can write. */
export interface DeclaredBits {
  /** Declares `channel_threads`, or is a bot. */
  readonly threads: boolean
  /** Declares `view_channel_members_permission`. */
  readonly channelMembers: boolean
}

/** The bits that a client cannot set or clear because it does not declare them. */
export function undeclaredBits({ threads, channelMembers }: DeclaredBits): bigint {
  return (threads ? 0n : threadPermissions) | (channelMembers ? 0n : permissionBits.VIEW_CHANNEL_MEMBERS)
}

/**
 * The mask after a write: the wanted bits, with undeclared bits as stored. For something new the stored mask is 0, so
 * they are cleared (rules/roles-and-permissions#masks).
 */
export function writtenMask(wanted: bigint, stored: bigint, undeclared: bigint): bigint {
  return (wanted & ~undeclared) | (stored & undeclared)
}
