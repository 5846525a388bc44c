import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { roles, type Role } from '../../../process/roles/role.ts'
import type { Client } from '../../gateway/support/client.ts'
import { metricOf } from '../../support/cluster/metrics.ts'
import { environmentOf, startCluster, type Cluster } from '../../support/cluster/start-cluster.ts'
import { newWitness, openSession, type Witness } from '../../support/cluster/witness.ts'
import {
  acceptInvite,
  call,
  createInvite,
  register,
  send,
  type ApiRequest,
  type Person,
} from '../../support/load-api.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import type { ProductProcess } from '../../support/product-process.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { serviceOf } from '../../roles/support/compose.ts'
import { paced } from '../../support/pace.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('the roles, started as docker-compose.yml starts them'), () => {
  let cluster: Cluster
  let ada: Witness
  let bea: Person
  let adaHears: Client
  let beaHears: Client
  let stop = (): Promise<void> => Promise.resolve()

  beforeAll(async () => {
    cluster = await startCluster({
      apis: 2,
      gateways: 1,
      projectors: 1,
      workers: 1,
      eventStore: 'eventstoredb',
      database: laidDatabase,
      environment: ownSettings(serviceOf('api').environment),
    })
    stop = () => cluster.close()
  })
  afterAll(() => stop(), 60_000)

  const processOf = (role: Role, index = 0): ProductProcess => {
    const found = cluster.running(role)[index]
    if (!found) throw new Error(`There is no ${role} ${index}`)
    return found
  }
  const api = (index: number): string => processOf('api', index).url

  it('are healthy by the healthcheck of the file', async () => {
    for (const role of roles) {
      for (const { statusUrl } of cluster.running(role))
        await expect.poll(async () => [role, await healthcheck(role, statusUrl)]).toEqual([role, 0])
    }
  })

  it('announce the API and the Gateway at the addresses of the file', async () => {
    const { environment } = serviceOf('api')
    const response = await fetch(`${api(1)}/.well-known/guildhall`)
    expect(await response.json()).toMatchObject({
      endpoints: { api: environment['PUBLIC_URL'], gateway: environment['GATEWAY_URL'] },
    })
  })

  it('let everybody read their own writes at another process, at once', async () => {
    ada = await newWitness((index) => api(index % 2), 'ada')
    adaHears = await openSession(processOf('gateway').url, ada.owner)
    bea = await call(api(1), register('bea'))
    beaHears = await openSession(processOf('gateway').url, bea)
    expect(await send(api(0), me(bea))).toMatchObject({ status: 200, body: { id: bea.id } })
  })

  it('tell Gateway clients what API processes have done', async () => {
    const invite = createInvite(ada.owner, ada.guild.textChannel, { max_uses: 1, max_age: 3600 })
    const { code } = await call(api(0), invite)
    expect((await adaHears.dispatch('INVITE_CREATE')).d['code']).toBe(code)
    await call(api(1), acceptInvite(bea, code))
    expect((await beaHears.dispatch('GUILD_CREATE')).d['id']).toBe(ada.guild.id)
    expect((await adaHears.dispatch('GUILD_MEMBER_ADD')).d).toMatchObject({ user: { id: bea.id } })
    expect(await send(api(0), acceptInvite(bea, code))).toMatchObject({ status: 404 })
  })

  it('share their limits: a client may register three accounts an hour, whichever process it asks', async () => {
    expect((await send(api(0), register('cay'))).status).toBe(200)
    expect((await send(api(1), register('dee'))).status).toBe(429)
    expect((await send(api(0), register('eve'))).status).toBe(429)
  })

  it('write one audit log', async () => {
    const { body } = await send(api(1), { ...me(ada.owner), path: `/v1/guilds/${ada.guild.id}/audit-logs` })
    expect(auditLog.parse(body).audit_log_entries.map(({ action_type: type }) => type)).toContain(40)
  })

  it('refuse a session everywhere as soon as one process has ended it', async () => {
    expect(await send(api(1), me(bea))).toMatchObject({ status: 200 })
    expect((await send(api(0), { ...me(bea), method: 'POST', path: '/v1/auth/logout' })).status).toBeLessThan(300)
    expect(await send(api(1), me(bea))).toMatchObject({ status: 401 })
    expect(await send(api(0), me(bea))).toMatchObject({ status: 401 })
  })

  it('answer with metrics of their own', async () => {
    for (const role of roles) expect(await metricOf(processOf(role), 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await metricOf(processOf('gateway'), 'guildhall_gateway_sessions')).toBeGreaterThan(0)
    expect(await metricOf(processOf('projector'), 'guildhall_projector_leading')).toBe(1)
    expect(await metricOf(processOf('worker'), 'guildhall_projector_leading')).toBeUndefined()
  })

  it('serve the API only at the API', async () => {
    for (const role of ['gateway', 'projector', 'worker'] as const)
      expect([role, (await send(processOf(role).url, me(ada.owner))).status]).toEqual([role, 404])
  })

  it('end in order and in time when they are stopped', async () => {
    const grace_ms = Number.parseInt(serviceOf('api').stop_grace_period ?? '', 10) * 1000
    for (const role of ['api', 'gateway', 'worker', 'projector'] as const) {
      for (const product of cluster.running(role)) {
        const began = performance.now()
        // Rejects for any exit code except 0.
        await product.stop()
        expect(performance.now() - began).toBeLessThan(paced(grace_ms))
        expect([role, await healthcheck(role, product.statusUrl)]).toEqual([role, 1])
      }
    }
    expect((await adaHears.closed).code).toBe(4000)
  })
})

/**
 * The settings that the file gives a role, without the names of the servers, which the cluster supplies. Each of these must be in
 * the file.
 */
function ownSettings(environment: Readonly<Record<string, string>>): Record<string, string> {
  const given = environmentOf({
    connection: {},
    personalDataKey: new Uint8Array(32),
    nats: { url: '' },
    eventStore: { url: '' },
  })
  const missing = Object.keys(given).filter((name) => environment[name] === undefined)
  if (missing.length > 0) throw new Error(`docker-compose.yml does not set ${missing.join(', ')}`)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => given[name] === undefined))
}

/** Runs the healthcheck of the file against a process of this machine; returns its exit code. */
async function healthcheck(role: Role, statusUrl: string): Promise<number | null> {
  const [kind, program = '', ...words] = serviceOf(role).healthcheck.test
  expect(kind).toBe('CMD')
  const inContainer = `http://127.0.0.1:${serviceOf(role).environment['STATUS_PORT']}`
  const child = spawn(
    program,
    words.map((word) => word.replace(inContainer, statusUrl)),
    { stdio: 'ignore' },
  )
  await once(child, 'exit')
  return child.exitCode
}

const auditLog = z.object({ audit_log_entries: z.array(z.object({ action_type: z.int() })) })

function me({ token }: Person): ApiRequest {
  return { method: 'GET', path: '/v1/users/@me', token, parse: (body) => body }
}
