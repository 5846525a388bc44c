import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { ConsolePlace } from '../../../adapters/http/console/console-files.ts'
import { openLogger } from '../../../adapters/telemetry/open-logger.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { expectRefusal } from '../support/answers.ts'
import { openPage } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'

const folder = path.join(tmpdir(), `guildhall-console-${randomUUID()}`)
await mkdir(folder)
afterAll(() => rm(folder, { recursive: true }))

const page = '<!doctype html><link href="assets/app-b.css"><script type="module" src="assets/app-a.js"></script>'
const script = 'document.title = "Console"\n'.repeat(100)

/** What builds a console: it writes one, and notes that it ran. */
const building = (name: string, last = '') => `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
appendFileSync(${JSON.stringify(path.join(folder, `${name}.ran`))}, 'x')
const folder = ${JSON.stringify(path.join(folder, name, '/'))}
mkdirSync(folder + 'assets', { recursive: true })
const files = { 'app-a.js': ${JSON.stringify(script)}, 'app-b.css': 'p { margin: 0 }', 'font-c.woff2': 'x' }
for (const [name, text] of Object.entries(files)) {
  writeFileSync(folder + 'assets/' + name, text)
  writeFileSync(folder + 'assets/' + name + '.br', brotliCompressSync(text))
  writeFileSync(folder + 'assets/' + name + '.gz', gzipSync(text))
}
writeFileSync(folder + 'secret.txt', 'secret')
${last}
writeFileSync(folder + 'index.html', ${JSON.stringify(page)})
`

async function placeOf(name: string, program: string): Promise<ConsolePlace> {
  const file = path.join(folder, `${name}.mjs`)
  await writeFile(file, program)
  return { folder: pathToFileURL(path.join(folder, name, '/')), program: pathToFileURL(file) }
}

const runs = async (name: string) => (await readFile(path.join(folder, `${name}.ran`), 'utf8')).length
const raw = (guildhall: TestGuildhall, name: string, headers = {}) => fetch(`${guildhall.url}${name}`, { headers })

/** The path as it is: fetch would resolve its dots. */
const statusOf = ({ url }: TestGuildhall, asked: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ port: new URL(url).port, host: '127.0.0.1', path: asked, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })

describe('the console', async () => {
  const guildhall = await openServer({ consolePlace: await placeOf('plain', building('plain')) })
  const opened = async (address: string) => {
    const answer = () => openPage(guildhall.url + address)
    await expect.poll(async () => (await answer()).status).toBe(200)
    return answer()
  }

  it('is one page at every address below it, built once by whoever comes first', async () => {
    const together = ['/console/', '/console/callback?code=c', '/console/users/1'].map(opened)
    for (const { text, headers } of await Promise.all(together)) {
      expect(text).toContain('src="/console/assets/app-a.js"')
      expect(text).toContain('href="/console/assets/app-b.css"')
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect(await runs('plain')).toBe(1)
    const begun = await openPage(`${guildhall.url}/console`)
    expect([begun.status, begun.headers.get('location')]).toEqual([302, '/console/'])
  })

  it('may run only what this server sends, and is framed by nobody', async () => {
    const { headers } = await opened('/console/')
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' ${guildhall.url} data:`,
      `connect-src 'self' ${guildhall.url}`,
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  it('has files that browsers keep for a year, compressed for those that read that', async () => {
    await opened('/console/')
    const plain = await raw(guildhall, '/console/assets/app-a.js', { 'accept-encoding': 'identity' })
    expect(await plain.text()).toBe(script)
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const br = await raw(guildhall, '/console/assets/app-a.js', { 'accept-encoding': 'br' })
    expect([br.headers.get('content-encoding'), br.headers.get('vary')]).toEqual(['br', 'Accept-Encoding'])
    expect(await br.text()).toBe(script)
    expect(brotliDecompressSync(await readFile(path.join(folder, 'plain/assets/app-a.js.br'))).toString()).toBe(script)
    const known = { 'if-none-match': plain.headers.get('etag') ?? '' }
    expect((await raw(guildhall, '/console/assets/app-a.js', known)).status).toBe(304)
    expect((await raw(guildhall, '/console/assets/font-c.woff2')).headers.get('content-type')).toBe('font/woff2')
  })

  it.each([
    'nothing.js',
    'app-a.js.br',
    '../secret.txt',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    '..%5csecret.txt',
    '.%00',
    '',
    'app-a.js/',
  ])('gives no other file: assets/%s', async (name) => {
    await opened('/console/')
    expect(await statusOf(guildhall, `/console/assets/${name}`)).toBe(404)
  })
})

describe('a console that is being built', async () => {
  const pauses = `while (!(await import('node:fs')).existsSync(${JSON.stringify(path.join(folder, 'go'))}))
  await new Promise((resolve) => setTimeout(resolve, 50))`
  const guildhall = await openServer({ consolePlace: await placeOf('slow', building('slow', pauses)) })

  it('says so on a page that opens it by itself', async () => {
    const waiting = await openPage(`${guildhall.url}/console/`, { 'accept-language': 'de' })
    expect(waiting).toMatchObject({ status: 503, text: expect.stringContaining('Die Konsole wird gebaut') })
    expect(waiting.text).toContain('http-equiv="refresh" content="2; url=/console/"')
    await writeFile(path.join(folder, 'go'), '')
    await expect.poll(async () => (await openPage(`${guildhall.url}/console/`)).status).toBe(200)
    expect(await runs('slow')).toBe(1)
  })
})

describe('a console that cannot be built', async () => {
  const logged: string[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  const guildhall = await openServer({
    logger: openLogger('error', destination),
    consolePlace: await placeOf('broken', building('broken', 'throw new Error("no such package")')),
  })

  it('is told in one line, tried once, and the rest of the server goes on', async () => {
    await expect.poll(async () => (await openPage(`${guildhall.url}/console/`)).text).toContain('could not be built')
    const { status, text } = await openPage(`${guildhall.url}/console/`)
    expect([status, text.includes('http-equiv="refresh"')]).toEqual([503, false])
    expect(await runs('broken')).toBe(1)
    const lines = logged.filter((line) => line.includes('the console could not be built'))
    expect(lines).toEqual([expect.stringContaining('no such package')])
    expectRefusal(await guildhall.request('GET', '/console/assets/other.js'), 404, 'NOT_FOUND')
    expect((await guildhall.request('GET', '/console/config.json')).status).toBe(200)
  })
})
