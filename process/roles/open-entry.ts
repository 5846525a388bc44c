import type { AddressGate } from '../../adapters/http/brakes/address-gate.js'
import { sessionTokensIn } from '../../application/identity/tokens/session-tokens.js'
import { botTokensIn } from '../../application/identity/tokens/bot-tokens.js'
import { aggregateOf } from '../../application/aggregates/aggregates.js'
import type { OpenAccountNeeds } from '../../application/access/open-account.js'
import type { BotTokens } from '../../application/ports/credentials.js'
import type { SessionTokens } from '../../application/ports/session-tokens.js'
import { account } from '../../domain/account/account.js'
import type { Base } from './base.js'
import type { CommandSide } from './open-command-side.js'
import { openGate } from './open-gate.js'

/** The checks that clients pass, for the API and the Gateway alike. */
export interface Entry {
  readonly sessionTokens: SessionTokens
  readonly botTokens: BotTokens
  readonly gate: AddressGate
}

/** `commands`: given if this process also serves requests, whose failures are counted. */
export async function openEntry(base: Base, commands: CommandSide | undefined): Promise<Entry> {
  const { fresh: queries, readModels } = base
  const sessionTokens = sessionTokensIn(queries.accounts)
  const botTokens = botTokensIn({ queries, readModels, aggregates: commands?.ports.aggregates ?? accountsOnly(base) })
  return { sessionTokens, botTokens, gate: await openGate(base, commands) }
}

/** A process that is only a Gateway carries out no commands of clients, but ends a bot's ban that is over. */
function accountsOnly({ options, store }: Base): OpenAccountNeeds['aggregates'] {
  const onSnapshotFailure = (stream: string, error: unknown): void => {
    options.logger.warn({ err: error, stream }, 'a snapshot could not be written')
  }
  const { events, snapshots } = store
  return { account: aggregateOf(account, { store: events, snapshots, onSnapshotFailure }) }
}
