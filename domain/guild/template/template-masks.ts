import {
  defaultEveryonePermissions,
  definedPermissions,
  permissionBits,
  threadPermissions,
} from '../../permissions/permission-bits.ts'
import type { SentMask } from './template.ts'

const digits_max = 32

/** The defined bits of a mask; undefined if it is not an integer. */
export function definedBits(mask: SentMask): bigint | undefined {
  if (typeof mask === 'number')
    return Number.isSafeInteger(mask) && mask >= 0 ? BigInt(mask) & definedPermissions : undefined
  return mask.length <= digits_max && /^[0-9]+$/.test(mask) ? BigInt(mask) & definedPermissions : undefined
}

const newThreadPermissions =
  permissionBits.CREATE_PUBLIC_THREADS | permissionBits.CREATE_PRIVATE_THREADS | permissionBits.SEND_MESSAGES_IN_THREADS

/**
 * The permissions of the everyone role. 0 means the default set. A mask with SEND_MESSAGES but no thread bits gets the thread
 * permissions too.
 */
export function everyoneMask(mask: bigint): bigint {
  const given = mask === 0n ? defaultEveryonePermissions : mask
  const gains = (given & permissionBits.SEND_MESSAGES) !== 0n && (given & threadPermissions) === 0n
  return gains ? given | newThreadPermissions : given
}
