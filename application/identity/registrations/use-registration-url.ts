import type { AccountId, RegistrationUrlId } from '../../../domain/ids/ids.js'
import { admits } from '../../../domain/registration-url/state.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { registrationCodeHash } from './registration-code.js'

/** A registration URL that somebody came by. */
export interface OpenedUrl {
  readonly id: RegistrationUrlId
  readonly approvalRequired: boolean
}

/**
 * The registration URL with a code, where it lets anybody in now; nothing is taken yet. Refuses with REGISTRATION_URL_INVALID
 * whatever is wrong with it. Reference identity 4.3.
 */
export async function openedUrl(
  { aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>,
  code: string,
  { now, mayRepeat }: CommandContext,
): Promise<OpenedUrl> {
  const id = await queries.registrations.urlByCode(registrationCodeHash(code))
  if (id === undefined) return reject('REGISTRATION_URL_INVALID')
  const { state } = await aggregates.registrationUrl.load(id)
  // An earlier try of this very command may have taken the last use.
  if (state.status === 'absent' || !(admits(state, now) || mayRepeat)) return reject('REGISTRATION_URL_INVALID')
  return { id, approvalRequired: state.terms.approvalRequired }
}

/** Takes one use for an account that is about to register. Refuses with REGISTRATION_URL_INVALID where none is left. */
export async function takeUrlUse(
  { aggregates }: Pick<Ports, 'aggregates'>,
  url: RegistrationUrlId,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'UseRegistrationUrl', accountId, now: context.now } as const
  await aggregates.registrationUrl.execute(url, command, context)
}

/** Gives the use of an account back that did not register; nothing happens where none stands. */
export async function returnUrlUse(
  { aggregates }: Pick<Ports, 'aggregates'>,
  url: RegistrationUrlId,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  await aggregates.registrationUrl.execute(url, { type: 'ReturnRegistrationUrlUse', accountId }, context)
}
