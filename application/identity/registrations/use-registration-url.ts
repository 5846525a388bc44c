import type { AccountId, RegistrationUrlId } from '../../../domain/ids/ids.ts'
import { admits } from '../../../domain/registration-url/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { registrationCodeHash } from './registration-code.ts'

/** The registration URL of a registration. */
export interface OpenedUrl {
  readonly id: RegistrationUrlId
  readonly approvalRequired: boolean
}

/**
 * The registration URL with a code, if it is valid now; takes no use yet. Refuses with REGISTRATION_URL_INVALID for any
 * fault.
 */
export async function openedUrl(
  { aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>,
  code: string,
  { now, mayRepeat }: CommandContext,
): Promise<OpenedUrl> {
  const id = await queries.registrations.urlByCode(registrationCodeHash(code))
  if (id === undefined) return reject('REGISTRATION_URL_INVALID')
  const { state } = await aggregates.registrationUrl.load(id)
  // An earlier try of this same command may have taken the last use.
  if (state.status === 'absent' || !(admits(state, now) || mayRepeat)) return reject('REGISTRATION_URL_INVALID')
  return { id, approvalRequired: state.terms.approvalRequired }
}

/** Takes one use for an account before it registers. Refuses with REGISTRATION_URL_INVALID if none is left. */
export async function takeUrlUse(
  { aggregates }: Pick<Ports, 'aggregates'>,
  url: RegistrationUrlId,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'UseRegistrationUrl', accountId, now: context.now } as const
  await aggregates.registrationUrl.execute(url, command, context)
}

/** Returns the use of an account that was not registered; does nothing if it has none. */
export async function returnUrlUse(
  { aggregates }: Pick<Ports, 'aggregates'>,
  url: RegistrationUrlId,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  await aggregates.registrationUrl.execute(url, { type: 'ReturnRegistrationUrlUse', accountId }, context)
}
