import { describe, expect, it } from 'vitest'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import { expectRefusal } from '../operations/support/answers.ts'

const guildhall = await sharedGuildhall('clients')
const { token, id } = await guildhall.register()
const own = (path: string) => guildhall.request('GET', path, { token })

describe('a version that CLIENT_VERSIONS names', () => {
  it.each(['/v10/users/@me', '/api/v10/users/@me', '/v10/users/%40me', '/api/v10/users/@me?v=10'])(
    'is answered as version 1: %s',
    async (path) => {
      expect(await own(path)).toMatchObject({ status: 200, body: { id } })
    },
  )

  it('carries out operations that change something', async () => {
    const founded = await guildhall.request('POST', '/api/v10/guilds', { token, body: { name: 'Analytical Engine' } })
    expect(founded).toMatchObject({ status: 200, body: { owner_id: id } })
  })
})

describe('any other version', () => {
  it.each(['/v9/users/@me', '/v100/users/@me', '/v10', '/api/users/@me', '/api/v1/users/@me', '/x/v10/users/@me'])(
    'is nowhere: %s',
    async (path) => {
      expectRefusal(await own(path), 404, 'NOT_FOUND')
    },
  )
})
