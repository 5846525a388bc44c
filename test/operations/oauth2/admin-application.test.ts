import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId, applicationId } from '../../../domain/ids/ids.js'
import { snowflake } from '../../../domain/ids/snowflake.js'
import { testContext } from '../../support/test-context.js'
import { testDatabase } from '../../support/test-database.js'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.js'
import { bodyOf, expectRefusal } from '../support/answers.js'
import type { TestApplication } from '../support/applications.js'
import { asBearer, newClient, tokensFor } from '../support/oauth2.js'

/** Contract part 1, Authentication, rule 7: the built-in Admin OAuth2 application is the one that the operator names. */

let database: Awaited<ReturnType<typeof testDatabase>>
let guildhall: TestGuildhall
let ada: TestAccount
let panel: TestApplication
let other: TestApplication

beforeAll(async () => {
  database = await testDatabase()
  const common = { connection: database.connection, personalDataKey: randomBytes(32) }
  const before = await startTestGuildhall(common)
  ada = await before.register()
  panel = await newClient(before, ada, { name: 'Panel' })
  other = await newClient(before, ada)
  await before.close()
  guildhall = await startTestGuildhall({ ...common, adminApplicationId: applicationId(snowflake(panel.id)) })
})
afterAll(async () => {
  await guildhall.close()
  await database.close()
})

const ask = async (application: TestApplication) => {
  const token = asBearer(await tokensFor(guildhall, ada, application))
  return guildhall.request('GET', '/v1/admin/users/@me', { token })
}

describe('a bearer below /v1/admin', () => {
  it('is one of the Admin application, and its account an administrator', async () => {
    expectRefusal(await ask(other), 403, 'ACCESS_DENIED')
    expectRefusal(await ask(panel), 403, 'MISSING_PERMISSIONS')
    const context = testContext()
    const id = accountId(snowflake(ada.id))
    const grant = { type: 'GrantAcls', accountId: id, acls: ['admin:authenticate'] } as const
    await guildhall.ports.aggregates.account.execute(id, grant, context)
    await guildhall.ports.readModels.reached(context.written)
    expect(bodyOf(await ask(panel))).toBeDefined()
    expectRefusal(await ask(other), 403, 'ACCESS_DENIED')
  })
})
