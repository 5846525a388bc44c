import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { run } from './support/command-process.ts'
import { runningCommands } from './support/running-command.ts'

describe('guildhall watch', () => {
  let port = 0
  let proxy: TcpProxy
  let guildhall: TestGuildhall
  let ada: TestAccount
  const { start, end } = runningCommands()

  beforeAll(async () => {
    proxy = await startTcpProxy({
      get target() {
        return port
      },
    })
    const publicUrl = `http://127.0.0.1:${proxy.port}`
    guildhall = await startTestGuildhall({ publicUrl })
    port = Number(new URL(guildhall.url).port)
    ada = await guildhall.register('Ada')
  })
  afterAll(async () => {
    end()
    await guildhall.close()
    await proxy.close()
  })

  /** Starts the command as Ada, in a process of its own. */
  const watch = (words: readonly string[] = []) =>
    start(['watch', '--url', `http://127.0.0.1:${proxy.port}/`, ...words], { GUILDHALL_TOKEN: ada.token })

  const found = async (name: string): Promise<void> => {
    const { status } = await guildhall.request('POST', '/v1/guilds', { token: ada.token, body: { name } })
    expect(status).toBe(200)
  }

  it('prints a line for each dispatch, resumes after a cut, and ends in order at a signal', async () => {
    const { child, output, said } = watch()
    await expect.poll(output).toMatch(/^\d\d:\d\d:\d\d\.\d{3}     1  READY +"Ada#\d{4}" in 0 guilds, session \w+\n$/)
    await found('Home \u009b31m')
    await expect.poll(output).toMatch(/ 2  GUILD_CREATE +"Home \\u009b31m", 1 members, id=\d+ /)
    proxy.refuse()
    await expect.poll(said).toMatch(/^The connection ended \(1006\)\. Resuming in \d\.\d s\.\n/)
    await found('Garden')
    proxy.goOn()
    await expect.poll(output).toContain('  RESUMED')
    expect(output().match(/"Garden", 1 members/g)).toHaveLength(1)
    expect(output().match(/READY/g)).toHaveLength(1)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toStrictEqual([0, null])
  })

  it('prints JSON lines, with a token from a file', async () => {
    const { child, output } = watch(['--json', '--token-file', await fileOf(ada.token)])
    await expect.poll(output).toContain('\n')
    const [line = ''] = output().split('\n')
    expect(JSON.parse(line)).toMatchObject({ t: 'READY', s: 1, d: { user: { id: ada.id } } })
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toStrictEqual([0, null])
  })

  it('ends in order once nobody reads what it prints', async () => {
    const { child, output, said } = watch()
    await expect.poll(output).toContain('READY')
    child.stdout?.destroy()
    const end = once(child, 'exit')
    await found('Unread')
    expect(await end).toStrictEqual([0, null])
    expect(said()).toBe('')
  })

  it('takes the token from standard input too, and ends with what is wrong with it', async () => {
    const words = ['watch', '--url', guildhall.url, '--token-file', '-']
    expect(await run(words, {}, { input: 'gld_nobody' })).toStrictEqual({
      code: 1,
      output: '',
      said: `${guildhall.url} does not take this token: it is wrong, or was revoked\n`,
    })
  })

  it('ends once the token is revoked, and says so', async () => {
    const { token } = await guildhall.register()
    const { child, output, said } = watch(['--token-file', await fileOf(token)])
    await expect.poll(output).toContain('READY')
    await guildhall.request('POST', '/v1/auth/logout', { token })
    expect(await once(child, 'close')).toStrictEqual([1, null])
    expect(said()).toMatch(/does not take this token: it is wrong, or was revoked\n$/)
  })
})

describe('what guildhall watch refuses', () => {
  const servers: Server[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })

  /** The address of a server that answers 404, or of none any more. */
  async function addressOf({ isClosed }: { readonly isClosed: boolean }): Promise<string> {
    const server = createServer((_request, response) => response.writeHead(404).end('no such page'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (isClosed) server.close()
    else servers.push(server)
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }

  const watched = (url: string, environment: Readonly<Record<string, string>> = { GUILDHALL_TOKEN: 'gld_any' }) =>
    runHere(['watch', '--url', url], environment)

  it('no token', async () => {
    const { url } = await sharedGuildhall()
    expect(await watched(url, { GUILDHALL_TOKEN: '' })).toStrictEqual({
      code: 1,
      output: '',
      said: 'There is no token: put it into the environment variable GUILDHALL_TOKEN, or into a file for --token-file\n',
    })
  })

  it('an address where nobody answers', async () => {
    const url = await addressOf({ isClosed: true })
    expect(await watched(url)).toStrictEqual({
      code: 1,
      output: '',
      said: `No server answers at ${url}: start one with 'npm start', or name one with --url\n`,
    })
  })

  it('an address where something else answers', async () => {
    const url = await addressOf({ isClosed: false })
    expect(await watched(url)).toStrictEqual({
      code: 1,
      output: '',
      said: `What answers at ${url} is no instance of Guildhall, or a broken one: The server answered with 404\n`,
    })
  })
})

async function fileOf(token: string): Promise<string> {
  const file = path.join(await temporaryFolder('watch'), 'token')
  await writeFile(file, `${token}\n`)
  return file
}
