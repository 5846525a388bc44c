import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { read } from '../docs/pages.ts'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import { installClient, type InstalledClient } from './support/installed-client.ts'

const page = read('client/README.md')
/** The programs of the page, in its order. */
const [calling = '', listening = ''] = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, program = '']) => program)

const administrating = `
  import type { AdminPaths } from '@guildhall/client/admin'
  import { dataOf, openApi } from '@guildhall/client/api'
  const api = openApi<AdminPaths>({ url: '', token: 'Admin key' })
  const { guilds } = await dataOf(api.GET('/v1/admin/guilds'))
  export const names: string[] = guilds.map(({ name }) => name)
`

describe('a package of the client, installed in a folder of its own without a network', () => {
  const guildhall = sharedGuildhall()
  let client: InstalledClient
  beforeAll(async () => {
    client = await installClient()
  })
  afterAll(() => client.remove())

  /** Starts a program there, as its token's holder. */
  async function start(program: string, token: string) {
    const here = program.replaceAll('http://127.0.0.1:3000', (await guildhall).url)
    return spawn(process.execPath, ['--input-type=module-typescript', '--eval', here], {
      cwd: client.folder,
      env: { ...process.env, TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  it('calls the API as its page says', async () => {
    const ada = await (await guildhall).register()
    const child = await start(calling, ada.token)
    expect((await text(child.stdout)).split('\n')).toStrictEqual([
      expect.stringMatching(/^\S+ was found$/) as unknown,
      "[ 'Text Channels', 'general', 'General', 'Voice Channels' ]",
      '',
    ])
  })

  it('hears the Gateway as its page says', async () => {
    const { token } = await (await guildhall).register()
    const child = await start(listening, token)
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill()
    expect(printed.toString()).toMatch(/^\S+ is in 0 guilds\n$/)
  })

  const pages = { 'calling.ts': calling, 'listening.ts': listening, 'admin.ts': administrating }

  it('brings types by which the programs of its page compile for Node', async () => {
    expect(await client.check(pages)).toBe('')
  })

  it('brings types by which they compile for browsers', async () => {
    const inBrowsers = Object.entries(pages).map(([file, text]) => [
      file,
      text.replaceAll("process.env['TOKEN'] ?? ''", "'a token'"),
    ])
    const options = { lib: ['es2023', 'dom', 'dom.iterable'], types: [] }
    expect(await client.check(Object.fromEntries(inBrowsers), options)).toBe('')
  })

  it('brings types that find what the API and the Gateway do not know', async () => {
    const wrong = {
      'operation.ts': ["await api.GET('/v1/users/@you', {})", '/v1/users/@you'],
      'body.ts': ["await api.POST('/v1/guilds', { body: { nmae: 'Home' } })", 'nmae'],
      'answer.ts': ["const { nickname } = await dataOf(api.GET('/v1/users/@me'))", 'nickname'],
      'dispatch.ts': ["if (dispatch.t === 'MESSAGE_CREATED') continue", 'no overlap'],
      'member.ts': ["if (dispatch.t === 'MESSAGE_CREATE') dispatch.d.session_id", 'session_id'],
      'command.ts': ['gateway.send({ op: 14, d: {} })', 'subscriptions'],
      'own-command.ts': ['gateway.send({ op: 1, d: null })', "Type '1'"],
    } as const
    const programs = Object.entries(wrong).map(([file, [line]]) => [file, trying(line)])
    const said = await client.check({ 'right.ts': trying('dispatch.s'), ...Object.fromEntries(programs) })
    const errors = said.split(/\n(?=\S+\.ts\()/)
    expect(errors).toHaveLength(programs.length)
    for (const [file, [, named]] of Object.entries(wrong))
      expect(errors.find((error) => error.startsWith(`${file}(`))).toContain(named)
  })
})

/** A program that reads dispatches, with a line of its own. */
function trying(line: string): string {
  return `
    import { dataOf, openApi } from '@guildhall/client/api'
    import { openGateway } from '@guildhall/client/gateway'
    export const call = dataOf
    const api = openApi({ url: '' })
    const gateway = await openGateway({ url: '', token: '' })
    for await (const dispatch of gateway) {
      void api
      ${line}
    }
  `
}
