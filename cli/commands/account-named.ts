import type { Aggregates } from '../../application/ports.ts'
import { blindIndex } from '../../adapters/personal-data/blind-index.ts'
import { accountQueries } from '../../projections/accounts/queries.ts'
import { parseEmail } from '../../domain/account/names.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'

const tagPattern = /^(?<username>[A-Za-z0-9_]{1,32})#(?<discriminator>\d{1,4})$/

/**
 * The account that an operator names by its id, its tag as in Ada#0001, or its e-mail address. Rejects if there is none, but
 * does not check an id.
 */
export async function accountNamed(who: string, store: Store, aggregates: Aggregates): Promise<AccountId> {
  const { database, personalDataKey } = store
  const tag = tagPattern.exec(who)?.groups
  if (tag) {
    await refuseWithoutReadModels(store)
    const found = await accountQueries(database).byTag(tag['username'] ?? '', Number(tag['discriminator']))
    return found?.id ?? fail(nobody(who))
  }
  const address = parseEmail(who)
  if (address.ok) {
    const { state } = await aggregates.emailAddress.load(blindIndex(personalDataKey)(address.value))
    return state.status === 'held' ? state.accountId : fail(nobody(who))
  }
  const id = parseSnowflake(who)
  return id.ok
    ? accountId(id.id)
    : fail(new Error(`${who} is neither an id, nor a tag as in Ada#0001, nor an e-mail address`))
}

/** The message for an operator if an account does not exist. */
export const nobody = (who: string): Error => new Error(`There is no account ${who}`)

function fail(error: Error): never {
  throw error
}
