import { inviteCode, type InviteCode } from '../../../../domain/ids/ids.ts'
import { randomCodeLength } from '../../../../domain/text/normalise.ts'
import type { CommandContext } from '../../../commands/command-context.ts'
import { alphanumeric, randomText } from '../../../commands/random-text.ts'

/** A random code of 8 characters of the mixed-case alphanumeric alphabet. */
export function randomInviteCode(context: CommandContext): InviteCode {
  return inviteCode(randomText(context, alphanumeric, randomCodeLength))
}
