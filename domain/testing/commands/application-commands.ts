import fc from 'fast-check'
import type { AccountCommand } from '../../account/commands.ts'
import type { ApplicationCommand } from '../../application/commands.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, engine, moderator } from '../people.ts'

/** Few of them, so that they come again. */
const hashes = oneOf('hash-1', 'hash-2', 'hash-3')

export const applicationCommands: fc.Arbitrary<ApplicationCommand> = fc.oneof(
  record({
    type: oneOf('CreateApplication'),
    applicationId: oneOf(engine),
    ownerId: oneOf(ada, moderator),
    name: oneOf('Engine'),
    redirectUris: oneOf([], ['https://engine.example.org/back']),
    botPublic: fc.boolean(),
    botRequireCodeGrant: fc.boolean(),
    bot: oneOf({ username: 'Engine', discriminator: 1, locale: 'en-US' }),
    botTokenHash: hashes,
    clientSecretHash: hashes,
    delegationVersion: oneOf(0, 1),
    now: instants,
  }),
  record({
    type: oneOf('ChangeApplication'),
    changes: fc.record(
      { name: oneOf('Engine', 'Loom'), redirectUris: oneOf([], ['https://loom.example.org']), botPublic: fc.boolean() },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }),
  record({ type: oneOf('ResetBotToken'), botTokenHash: hashes, delegationVersion: oneOf(0, 1) }),
  record({ type: oneOf('ResetClientSecret'), clientSecretHash: hashes }),
  record({ type: oneOf('DeleteApplication'), now: instants }),
)

/** Commands for accounts that are bots; they also get the commands of other accounts. */
export const botCommands: fc.Arbitrary<AccountCommand> = fc.oneof(
  record({
    type: oneOf('RegisterAccount'),
    accountId: oneOf(ada),
    username: oneOf('engine'),
    discriminator: oneOf(1, 9999),
    globalName: oneOf(null),
    email: oneOf(null),
    passwordHash: oneOf(null),
    dateOfBirth: oneOf(null),
    emailVerified: oneOf(false),
    locale: oneOf('en-US'),
    botOwnerId: oneOf(moderator),
    now: instants,
  }),
  record({ type: oneOf('ChangeBotFlags'), flags: oneOf(0, 16, 32, 48) }),
  record({ type: oneOf('EraseBot'), email: oneOf(null), addressHash: oneOf(null), now: instants }),
  record({ type: oneOf('FinishErasure'), now: instants }),
)
