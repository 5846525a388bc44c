import { accountId, applicationId } from '../../../domain/ids/ids.ts'
import { snowflake, snowflakeEpochMs } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Instance } from '../../ports.ts'
import type { ApplicationQueries, ApplicationRecord } from '../../ports/queries/application-queries.ts'

/** The id of the console as an OAuth2 application: the last one of the first millisecond of 2015, in which nothing else was made. */
export const consoleApplicationId = applicationId(snowflake('4194303'))

/** No account has this id. */
const nobody = accountId(snowflake('0'))

/** Where the console takes the code of a sign-in. */
export function consoleRedirectUri({ publicUrl }: Pick<Instance, 'publicUrl'>): string {
  return `${publicUrl}/console/callback`
}

/** The same queries, which know the console too, on an instance that has it. It is in no list of an owner. Decision 200. */
export function withConsole(
  applications: ApplicationQueries,
  instance: Pick<Instance, 'console' | 'publicUrl'>,
): ApplicationQueries {
  return {
    ...applications,
    find: async (id) =>
      id === consoleApplicationId && instance.console ? consoleApplication(instance) : applications.find(id),
    findMany: async (ids) => {
      const found = await applications.findMany(ids)
      return instance.console && ids.includes(consoleApplicationId) ? [...found, consoleApplication(instance)] : found
    },
  }
}

/** No history has it: it is there as soon as the instance is. */
function consoleApplication(instance: Pick<Instance, 'publicUrl'>): ApplicationRecord {
  return {
    id: consoleApplicationId,
    ownerId: nobody,
    name: 'Console',
    redirectUris: [consoleRedirectUri(instance)],
    botPublic: false,
    botRequireCodeGrant: true,
    createdAt: timestamp(snowflakeEpochMs),
  }
}
