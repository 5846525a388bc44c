import type { InviteCode } from '../../../../domain/ids/ids.ts'
import type { CreateGroupInvite, CreateInvite } from '../../../../domain/invite/commands.ts'
import type { Caller } from '../../../caller.ts'
import { reject, Refused } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'
import { isCustomInAnyCase } from './custom-codes.ts'
import { randomInviteCode } from './invite-code.ts'

/** How many codes to try: with 62^8 codes, even a second try is rare. */
const draws_max = 5

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels'>

/**
 * Creates an invite under a random code that was never used (its stream must not exist yet), and that is no guild's custom code
 * in any case (rules/invites#codes). Resolves once the read models hold it.
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
 * Checks once whether a guild has the code as a custom code: after the append, by all events before it. Such a guild either came
 * first in the log or could not have seen this invite, so this invite gives way.
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
  await ports.readModels.reached(context.written)
  if (!(await isCustomInAnyCase(ports, code, context.settled))) return true
  await invite.execute(code, { type: 'DeleteInvite', by: account.id, now: context.now }, context)
  return false
}
