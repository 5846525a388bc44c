import { expect, it } from 'vitest'
import { bodyOf } from '../../operations/support/answers.ts'
import { connections } from '../../operations/support/connected.ts'
import { openServer } from '../../operations/support/scene.ts'
import { administrator } from '../../support/administrators.ts'
import { paced } from '../../support/pace.ts'
import { expectEnded } from '../../gateway/support/ended.ts'

const guildhall = await openServer()

it('each client of a banned account hears it within a second', async () => {
  const root = await administrator(guildhall, '*')
  const ada = await guildhall.register()
  const { connect, end } = connections()
  const clients = [await connect(guildhall, ada), await connect(guildhall, ada)]
  const body = { duration_hours: 2 }
  bodyOf(await guildhall.request('PUT', `/v1/admin/users/${ada.id}/ban`, { token: root.token, body }))
  const answered_ms = performance.now()
  for (const { client } of clients) await expectEnded(client)
  expect(performance.now() - answered_ms).toBeLessThan(paced(1000))
  end()
})
