import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishSettings } from '../../process/settings/served-settings.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { instance, type Instance } from './support/instance.ts'

type Environment = Readonly<Record<string, string>>

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'chat@example.com' }
const storage = { MEDIA_URL: 'http://key:CANARY@127.0.0.1:1/bucket' }
const hosted = { HOSTED: 'true' }
const storeB = {
  STORE_B: JSON.stringify({
    client_email: 'service@example.com',
    private_key: privateKey,
    packages: ['example.chat'],
    products: { gift: 'gift_1_month' },
    push: { audience: 'https://chat.example.com', email: 'push@example.com' },
    api_url: 'http://127.0.0.1:1',
    token_url: 'http://127.0.0.1:1',
  }),
}
const sandbox = { STORE_SANDBOX: '{"everyone": true}' }

let site: Instance
let folder: string
let elsewhere: string

beforeAll(async () => {
  site = await instance()
  folder = await mkdtemp(path.join(tmpdir(), 'gh-doctor-'))
  elsewhere = await mkdtemp(path.join(tmpdir(), 'gh-doctor-'))
})
afterAll(async () => {
  await site.close()
  for (const made of [folder, elsewhere]) await rm(made, { recursive: true, force: true })
})

/** What doctor says with its own settings of the parts that depend on them, beside a server that has started with others. */
async function told(served: Environment, own: Environment) {
  await publishSettings(site.store, readSettings({ DATA_DIR: folder, ...served }), 'http://127.0.0.1:8080')
  const { code, output } = await site.guildhall(['doctor'], { environment: { DATA_DIR: folder, ...own } })
  expect(output).not.toContain('CANARY')
  return { code, lines: output.split('\n').filter((line) => /^\w+ +(?:disk|keys|mail|images|stores) /.test(line)) }
}

const notTried = (part: string, names: string) =>
  `warn  ${part.padEnd(14)}not tried: the server has other settings than this command: ${names}. Set what the server has, and ask again`
const triedAlone = (part: string, names: string) =>
  `warn  ${part.padEnd(14)}tried as it is set here, not as the server has it: ${names}. What is set here counts from the next start of a server`

describe('doctor beside a server', () => {
  it.each<readonly [Environment, Environment, readonly string[]]>([
    [mail, {}, [notTried('mail', 'SMTP_URL')]],
    [storage, {}, [notTried('images', 'MEDIA_URL')]],
    [hosted, {}, [notTried('stores', 'HOSTED')]],
    [{ ...hosted, ...storeB }, {}, [notTried('stores', 'HOSTED, STORE_B')]],
    [{ ...hosted, ...storeB }, hosted, [notTried('stores', 'STORE_B')]],
    [{ ...hosted, ...sandbox }, hosted, [notTried('stores', 'STORE_SANDBOX')]],
  ])('calls no part well for which it lacks what the server has, and does not try it', async (served, own, warned) => {
    const { code, lines } = await told(served, own)
    expect(code).toBe(0)
    for (const line of warned) {
      const part = line.slice(6, 20)
      expect(lines.filter((each) => each.includes(part))).toStrictEqual([line])
    }
    expect(lines.filter((line) => !line.startsWith('ok '))).toStrictEqual(warned)
  })

  it('tries no other folder than that of the server', async () => {
    const { code, lines } = await told({}, { DATA_DIR: elsewhere })
    expect(code).toBe(0)
    const [disk, images] = [notTried('disk', 'DATA_DIR'), notTried('images', 'DATA_DIR')]
    expect(lines.filter((line) => /disk|images/.test(line))).toStrictEqual([disk, images])
  })

  it.each<readonly [string, string, Environment]>([
    ['mail', 'SMTP_URL', mail],
    ['images', 'MEDIA_URL', storage],
    ['stores', 'HOSTED, STORE_B', { ...hosted, ...storeB }],
  ])('tries what a server is to start with, and says that none has: %s', async (part, names, own) => {
    const { code, lines } = await told({}, own)
    expect(code).toBe(1)
    const [first, ...others] = lines.filter((line) => line.slice(6).startsWith(`${part} `))
    expect(first).toBe(triedAlone(part, names))
    expect(others).not.toHaveLength(0)
    for (const line of others) expect(line).toMatch(/^bad /)
  })

  it('with the settings of the server speaks of no other ones', async () => {
    const settings = { ...mail, ...storage, ...hosted, ...storeB, ...sandbox }
    const { lines } = await told(settings, settings)
    expect(lines.join('\n')).not.toMatch(/not tried|tried as it is set here/)
    expect((await told({}, {})).lines.filter((line) => !line.startsWith('ok '))).toStrictEqual([])
  })
})
