import { claimAddress, claimTag } from '../../application/identity/accounts/claim-identity.ts'
import { newSessionToken, sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import type { Requester } from '../../application/caller.ts'
import { metadataOf } from '../../application/commands/command-context.ts'
import { contextWith } from '../../application/commands/following-context.ts'
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import type { Ports } from '../../application/ports.ts'
import { account } from '../../domain/account/account.ts'
import type { AccountCommand } from '../../domain/account/commands.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { accountId as accountIdOf, type AccountId } from '../../domain/ids/ids.ts'
import { fold } from '../../domain/kernel/decider.ts'
import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import { streamName } from '../../domain/streams.ts'

/** The data of a test account. */
export interface AppendedAccount {
  readonly username: string
  readonly email: string
  readonly password: string
}

/**
 * Registers an account with a session in two appends instead of five: the same claims, and the same decisions of the account,
 * whose events go into its stream at once. For instances without a mail server that have the policy of a fresh instance.
 */
export async function appendAccount(
  ports: Ports,
  events: EventStore,
  requester: Requester,
  { username, email, password }: AppendedAccount,
): Promise<{ readonly token: string; readonly id: AccountId }> {
  const id = accountIdOf(requester.context.newId())
  const context = contextWith(requester.context, { actor: { kind: 'account', id } })
  const { now } = context
  const [tag, passwordHash] = await Promise.all([
    claimTag(ports, [username], id, context),
    ports.passwords.hash(password, requester),
    claimAddress(ports, ports.addressHash(email), id, context),
    ports.instancePolicies.fixAccountIdentity(context),
  ])
  const identity = { accountId: id, ...tag, globalName: null, email, passwordHash, dateOfBirth: '1990-12-10' }
  const token = newSessionToken(context)
  const { ip, userAgent, locale } = requester
  const session = { tokenHash: sessionTokenHash(token), ip, userAgent, authorizes: networkOf(ip, oneClient) }
  const stream = streamName('account', id)
  const appended = await events.append(
    stream,
    noStream,
    decided(
      { type: 'RegisterAccount', ...identity, emailVerified: true, locale, now },
      { type: 'StartSession', ...session, now },
    ).map((event, index): NewEvent => ({ ...event, metadata: metadataOf(context, stream, 'RegisterAccount', index) })),
  )
  if (appended.outcome !== 'appended') throw new Error(`The account was answered with ${appended.outcome}`)
  await ports.readModels.reached(appended.position)
  return { token, id }
}

/** The events of commands for a new account, one after another. */
function decided(...commands: readonly AccountCommand[]): readonly AccountEvent[] {
  const events: AccountEvent[] = []
  for (const command of commands) {
    const decision = account.decide(fold(account, events), command)
    if (decision.outcome === 'refused') throw new Error(`Refused with ${decision.refusal.code}`)
    events.push(...decision.events)
  }
  return events
}
