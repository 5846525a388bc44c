import {
  defaultEveryonePermissions,
  definedPermissions,
  permissionBits,
  threadPermissions,
} from '../../permissions/permission-bits.js'
import type { SentMask } from './template.js'

const digits_max = 32

/** The defined bits of a mask; undefined for what is no integer. */
export function definedBits(mask: SentMask): bigint | undefined {
  if (typeof mask === 'number')
    return Number.isSafeInteger(mask) && mask >= 0 ? BigInt(mask) & definedPermissions : undefined
  return mask.length <= digits_max && /^[0-9]+$/.test(mask) ? BigInt(mask) & definedPermissions : undefined
}

const newThreadPermissions =
  permissionBits.CREATE_PUBLIC_THREADS | permissionBits.CREATE_PRIVATE_THREADS | permissionBits.SEND_MESSAGES_IN_THREADS

/** What everyone may do: nothing stands for the default set, and who may write may do so in threads, where those are not spoken of. */
export function everyoneMask(mask: bigint): bigint {
  const given = mask === 0n ? defaultEveryonePermissions : mask
  const gains = (given & permissionBits.SEND_MESSAGES) !== 0n && (given & threadPermissions) === 0n
  return gains ? given | newThreadPermissions : given
}
