import { inviteCode, type InviteCode } from '../../../../domain/ids/ids.js'
import type { CommandContext } from '../../../commands/command-context.js'
import { alphanumeric, randomText } from '../../../commands/random-text.js'

const codeLength = 8

/** A random code of 8 characters of the mixed-case alphanumeric alphabet. */
export function randomInviteCode(context: CommandContext): InviteCode {
  return inviteCode(randomText(context, alphanumeric, codeLength))
}
