import type { InviteCode } from '../../../../domain/ids/ids.js'
import type { CreateGroupInvite, CreateInvite } from '../../../../domain/invite/commands.js'
import type { Caller } from '../../../caller.js'
import { reject, Refused } from '../../../commands/refused.js'
import type { Ports } from '../../../ports.js'
import { isCustomInAnyCase } from './custom-codes.js'
import { randomInviteCode } from './invite-code.js'

/** How many codes are drawn before giving up: among 62^8 codes a second draw is rare already. */
const draws_max = 5

type Needs = Pick<Ports, 'aggregates' | 'readModels'>

/**
 * Makes an invite under a random code that was never given, the stream of which must not exist yet, and that is no guild's custom
 * code in any case (supplement, Errors, limits, order). Resolves once the read models hold it.
 */
export async function drawCode(
  ports: Needs,
  caller: Pick<Caller, 'account' | 'context'>,
  create: (code: InviteCode) => CreateInvite | CreateGroupInvite,
): Promise<InviteCode> {
  for (let draw = 0; draw < draws_max; draw += 1) {
    const code = randomInviteCode(caller.context)
    if (await isMade(ports, caller, code, create(code))) return code
  }
  return reject('CONFLICT')
}

/**
 * Whether a guild has the code is asked once, after the append and beside the wait for the read models. A guild that has it is
 * first in the log, or could not have seen this invite: this one gives way.
 */
async function isMade(
  ports: Needs,
  { account, context }: Pick<Caller, 'account' | 'context'>,
  code: InviteCode,
  create: CreateInvite | CreateGroupInvite,
): Promise<boolean> {
  const { invite } = ports.aggregates
  try {
    await invite.execute(code, create, context, 'initial')
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'CONFLICT') return false
    throw error
  }
  const [isCustom] = await Promise.all([isCustomInAnyCase(ports, code), ports.readModels.reached(context.written)])
  if (!isCustom) return true
  await invite.execute(code, { type: 'DeleteInvite', by: account.id, now: context.now }, context)
  return false
}
