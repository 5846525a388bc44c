import { accountId as accountIdOf } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import type { Requester } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { chargeRecovery } from './recovery-allowances.ts'
import { sendResetMail } from './send-reset-mail.ts'

type Needs = Pick<Ports, 'addressHash' | 'deferred' | 'aggregates' | 'allowances' | 'mail' | 'queries' | 'tickets'>

/** The account that is looked up for an unknown address, so that the work is the same. */
const nobody = accountIdOf(snowflake('0'))

/**
 * Mails the holder of an address a token to choose a new password. The extra work for a known address is done after the
 * answer, so that neither text nor time reveals whether it is known. Refuses with RATE_LIMITED, the same for every
 * address, and with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED. See rules/credentials#forgotten-passwords.
 */
export function forgotPassword(ports: Needs) {
  return async ({ context, ip }: Requester, email: string): Promise<void> => {
    const addressHash = ports.addressHash(email)
    await chargeRecovery(ports, addressHash, ip)
    const { state: address } = await ports.aggregates.emailAddress.load(addressHash)
    await refuseBot(ports, address.status === 'held' ? address.accountId : nobody)
    ports.deferred.run(() => mailToken(ports, email, context))
  }
}

async function mailToken(ports: Needs, email: string, context: CommandContext): Promise<void> {
  const { aggregates } = ports
  const { state: address } = await aggregates.emailAddress.load(ports.addressHash(email))
  if (address.status === 'free') return
  const { accountId } = address
  const { state: account } = await aggregates.account.load(accountId)
  // An address is claimed before its account has it, and released after the account has another one.
  if (account.status !== 'registered' || account.email !== email) return
  await sendResetMail(ports, { accountId, email, username: account.username, locale: account.locale }, context)
}
