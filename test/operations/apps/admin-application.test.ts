import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { accountId, applicationId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { startTestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import type { TestApplication } from '../support/applications.ts'
import { asBearer, newClient, tokensFor } from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

/** The operator names the built-in Admin OAuth2 application; tokens of all others are ACCESS_DENIED below /v1/admin. */

const { connection, close } = await laidDatabase()
afterAll(close)
const common = { connection, personalDataKey: randomBytes(32) }
const before = await startTestGuildhall(common)
const ada = await before.register()
const panel = await newClient(before, ada, { name: 'Panel' })
const other = await newClient(before, ada)
await before.close()
const guildhall = await openServer({ ...common, adminApplicationId: applicationId(snowflake(panel.id)) })

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
