import fc from 'fast-check'
import { aggregates, type AggregateName, type CommandOf, type EventsOf, type StateOf } from '../aggregates.ts'
import type { Decider } from '../kernel/decider.ts'
import { accountCommands } from './commands/account-arbitraries.ts'
import { adminAuditCommands, adminKeyCommands } from './commands/admin-arbitraries.ts'
import { applicationCommands, botCommands } from './commands/application-commands.ts'
import {
  blocklistEntryCommands,
  emailAddressCommands,
  guildCommands,
  handleCommands,
  inviteCommands,
  membershipCommands,
  networkBanCommands,
  registrationUrlCommands,
  singleSignOnIdentityCommands,
} from './commands/arbitraries.ts'
import { discoveryApplicationCommands } from './commands/discovery-arbitraries.ts'
import { giftCommands } from './commands/gift-commands.ts'
import { guildAuditCommands } from './commands/guild-audit-commands.ts'
import { guildExpressionsCommands } from './commands/guild-expressions-commands.ts'
import { instanceCommands } from './commands/instance-commands.ts'
import { oauth2AuthorizationCommands } from './commands/oauth2-authorization-commands.ts'
import { directChannelCommands, privateChannelCommands } from './commands/private-channel-commands.ts'
import { relationshipCommands } from './commands/relationship-commands.ts'
import { reportCommands } from './commands/report-commands.ts'
import { userGuildSettingsCommands, userSettingsCommands } from './commands/settings-arbitraries.ts'
import { storePurchaseCommands } from './commands/store-purchase-commands.ts'
import { threadCommands } from './commands/thread-commands.ts'
import { webhookCommands } from './commands/webhook-commands.ts'
import { histories, type History } from './histories.ts'

/** The commands that histories of each aggregate are drawn from. */
export const commands: { readonly [Name in AggregateName]: fc.Arbitrary<CommandOf<Name>> } = {
  account: fc.oneof(accountCommands, botCommands),
  adminAudit: adminAuditCommands,
  adminKey: adminKeyCommands,
  application: applicationCommands,
  blocklistEntry: blocklistEntryCommands,
  directChannel: directChannelCommands,
  discoveryApplication: discoveryApplicationCommands,
  emailAddress: emailAddressCommands,
  gift: giftCommands,
  guild: guildCommands,
  guildAudit: guildAuditCommands,
  guildExpressions: guildExpressionsCommands,
  handle: handleCommands,
  instance: instanceCommands,
  invite: inviteCommands,
  membership: membershipCommands,
  networkBan: networkBanCommands,
  oauth2Authorization: oauth2AuthorizationCommands,
  privateChannel: privateChannelCommands,
  registrationUrl: registrationUrlCommands,
  relationship: relationshipCommands,
  report: reportCommands,
  singleSignOnIdentity: singleSignOnIdentityCommands,
  storePurchase: storePurchaseCommands,
  thread: threadCommands,
  userGuildSettings: userGuildSettingsCommands,
  userSettings: userSettingsCommands,
  webhook: webhookCommands,
}

/** An aggregate by its name, as a decider of its own states, commands and events. */
export function deciderOf<Name extends AggregateName>(
  name: Name,
): Decider<StateOf<Name>, CommandOf<Name>, EventsOf<Name>> {
  // The compiler can't connect the parts of one definition among all.
  return aggregates[name] as unknown as Decider<StateOf<Name>, CommandOf<Name>, EventsOf<Name>>
}

/** Possible histories of an aggregate: up to 40 of its commands, decided one after another from the beginning. */
export function historiesOf<Name extends AggregateName>(
  name: Name,
): fc.Arbitrary<History<StateOf<Name>, CommandOf<Name>, EventsOf<Name>>> {
  return histories(deciderOf(name), commands[name])
}
