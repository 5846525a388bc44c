import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { messagesPath, send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'
import { namedUpload, uploading } from '../../support/uploads.ts'

/** Files whose hash an operator has listed: rules/messages#files. */

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-listed-'))
const { guildhall, ada, home } = await openScene({ dataDir })
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
const { uploaded } = uploading(guildhall, home.channel)

it('a file on the list file-sha comes with no message, however it is sent', async () => {
  const listed = 'a listed file'
  const parts = [payload({ content: 'before' }), file('files[0]', 'a.txt', listed)]
  const before = String(bodyOf(await sendForm(guildhall, ada, home.channel, parts))['id'])
  const planned = await uploaded(ada, 'b.txt', Buffer.from(listed))
  const admin = await administrator(guildhall, '*')
  const entry = { token: admin.token, body: { sha256_hex: createHash('sha256').update(listed).digest('hex') } }
  expect((await guildhall.request('POST', '/v1/admin/blocklists/file-sha/entries', entry)).status).toBe(204)

  expectRefusal(await sendForm(guildhall, ada, home.channel, parts), 403, 'CONTENT_BLOCKED')
  const named = { attachments: [namedUpload(planned)] }
  expectRefusal(await send(guildhall, ada, home.channel, named), 403, 'CONTENT_BLOCKED')
  const edit = { method: 'PATCH', path: messagesPath(home.channel, before) } as const
  expectRefusal(await sendForm(guildhall, ada, home.channel, parts, edit), 403, 'CONTENT_BLOCKED')
  const message_reference = { type: 1, channel_id: home.channel, message_id: before }
  expectRefusal(await send(guildhall, ada, home.channel, { message_reference }), 403, 'CONTENT_BLOCKED')
  const other = [payload({ content: 'after' }), file('files[0]', 'a.txt', 'another file')]
  expect((await sendForm(guildhall, ada, home.channel, other)).status).toBe(200)
})
