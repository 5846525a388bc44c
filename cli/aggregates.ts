import { aggregateOf, type AggregateSettings } from '../application/aggregates/aggregates.js'
import type { Aggregates } from '../application/ports.js'
import { account } from '../domain/account/account.js'
import { emailAddress } from '../domain/email-address/email-address.js'
import { guild } from '../domain/guild/guild.js'
import { handle } from '../domain/handle/handle.js'
import { instance } from '../domain/instance/instance.js'
import { invite } from '../domain/invite/invite.js'
import { membership } from '../domain/membership/membership.js'

/** Raised whenever the shape of an account's state changes, so that no snapshot of another shape is read. */
const accountStateVersion = 3

/** Every kind of aggregate over one event store. */
export function openAggregates(settings: AggregateSettings): Aggregates {
  return {
    account: aggregateOf(account, settings, accountStateVersion),
    emailAddress: aggregateOf(emailAddress, settings),
    guild: aggregateOf(guild, settings),
    handle: aggregateOf(handle, settings),
    instance: aggregateOf(instance, settings),
    invite: aggregateOf(invite, settings),
    membership: aggregateOf(membership, settings),
  }
}
