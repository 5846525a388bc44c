import type { Aggregates } from '../../application/ports.ts'
import { blindIndex } from '../../adapters/personal-data/blind-index.ts'
import { accountQueries, accountsWithUsername } from '../../projections/accounts/queries.ts'
import { parseEmail } from '../../domain/account/names.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'

const tagPattern = /^(?<username>[A-Za-z0-9_]{1,32})#(?<discriminator>\d{1,4})$/
const usernamePattern = /^[A-Za-z0-9_]{1,32}$/
/** How many accounts of a username are named to who has to choose. */
const namesakes_max = 5

/**
 * The account that an operator names by its id, its tag as in Ada#0001, its username if no other account has it, or its e-mail
 * address. Rejects if there is none, but does not check an id.
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
  if (id.ok) return accountId(id.id)
  if (!usernamePattern.test(who))
    return fail(new Error(`${who} is neither an id, nor a tag as in Ada#0001, nor a username, nor an e-mail address`))
  await refuseWithoutReadModels(store)
  const [found, ...others] = await accountsWithUsername(database, who, namesakes_max)
  if (!found) return fail(nobody(who))
  if (others.length === 0) return found.id
  const tags = [found, ...others].map(
    ({ username, discriminator }) => `${username}#${String(discriminator).padStart(4, '0')}`,
  )
  return fail(new Error(`Several accounts are named ${who}: say which, as in ${tags.join(', ')}`))
}

/** The message for an operator if an account does not exist. */
export const nobody = (who: string): Error => new Error(`There is no account ${who}`)

function fail(error: Error): never {
  throw error
}
