import { describe, expect, it } from 'vitest'
import { codesOf, startServer } from './support.ts'

describe('the documentation page', () => {
  it('loads nothing from elsewhere, and may not', async () => {
    const server = await startServer([])
    const response = await server.fetch('/docs')
    const page = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page).not.toMatch(/https?:|\/\/|<script>|style=|onload/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|http/)
  })
  it('finds its files and the document below wherever it stands', async () => {
    const server = await startServer([])
    const page = await (await server.fetch('/docs')).text()
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
    // The Gateway's reference comes with the whole product.
    const files = named.filter((file) => file !== 'docs/gateway')
    expect([files.length, named.length]).toEqual([10, 11])
    for (const file of files) {
      expect(file).not.toMatch(/^\//)
      const response = await server.fetch(new URL(file, `${server.url}/docs`).pathname)
      expect([file, response.status, (await response.arrayBuffer()).byteLength > 50]).toEqual([file, 200, true])
    }
    const starter = await (await server.fetch('/docs/start.js')).text()
    expect(starter).toContain("new URL('v1/openapi.json', document.baseURI)")
    expect(starter).toContain("new URL('v1/openapi.admin.json', document.baseURI)")
  })
  it('filters, and keeps what authorises over a reload', async () => {
    const starter = await (await (await startServer([])).fetch('/docs/start.js')).text()
    expect(starter).toMatch(/^ {2}filter: true,$/m)
    expect(starter).toMatch(/^ {2}persistAuthorization: true,$/m)
  })
  it('has an introduction and all operations without scripts, each document its own', async () => {
    const server = await startServer([])
    const [members, admins] = await Promise.all(
      ['/docs', '/docs?of=admin'].map(async (path) => (await server.fetch(path)).text()),
    )
    for (const page of [members, admins])
      for (const title of ['How to begin', 'Authentication', 'Rate limits', 'Errors'])
        expect(page).toContain(`<h2>${title}</h2>`)
    expect(members).toContain('<li><code>GET /v1/guilds/{guild_id}</code> Get guild</li>')
    expect(admins).toContain('<li><code>GET /v1/admin/audit-logs</code>')
    expect(members).not.toContain('/v1/admin/')
  })
  it('serves no other file of its package', async () => {
    const server = await startServer([])
    for (const file of ['package.json', 'index.html', 'swagger-initializer.js', '..%2Fpackage.json', '__proto__'])
      expect(await codesOf(await server.fetch(`/docs/${file}`))).toEqual(['404 NOT_FOUND'])
  })
})
