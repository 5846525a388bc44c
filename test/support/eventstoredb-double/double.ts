import { once } from 'node:events'
import net from 'node:net'
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import {
  Server,
  ServerCredentials,
  status,
  type handleUnaryCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { appendHandler, batchAppendHandler } from './append-service.ts'
import { faults, type Faults } from './faults.ts'
import { gossipHandler, type Member } from './gossip-service.ts'
import { DoubleLog } from './log.ts'
import { readHandler, type Reads } from './read-service.ts'

export interface DoubleSettings {
  /** The port to serve on, at 127.0.0.1. Default: any free one. */
  readonly port?: number
  /** Serves TLS, and accepts only one user's name and password. */
  readonly secured?: {
    readonly key: string
    readonly certificate: string
    readonly user: string
    readonly password: string
  }
  /** The log that the nodes of a cluster share. */
  readonly log?: DoubleLog
  /** The nodes of its cluster. Default: it alone. */
  readonly members?: () => readonly Member[]
}

/** A double of the EventStoreDB server: it speaks the protocol to any client, and keeps its log in memory. */
export interface EventStoreDouble {
  readonly port: number
  readonly url: string
  readonly log: DoubleLog
  readonly faults: Faults
  readonly reads: Reads
  /** Whether it accepts connections. */
  isServing(): boolean
  /** Resets every connection. */
  reset(): void
  /** Resets every connection and accepts no more; the log stays. */
  stop(): Promise<void>
  /** Accepts connections again, on the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

const receive_bytes = 17 * 1024 * 1024

/** Starts a double whose log holds only the server's own events. Rejects if the port is taken. */
export async function startEventStoreDouble(settings: DoubleSettings = {}): Promise<EventStoreDouble> {
  const { secured } = settings
  const log = settings.log ?? new DoubleLog()
  log.writeSystemEvents(3)
  const onDemand = faults()
  const sockets = new Set<net.Socket>()
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const server = new Server({ 'grpc.max_receive_message_length': receive_bytes })
  const reads: Reads = { subscribedAfter: [], sentEvents: 0, caughtUp: 0 }
  const parts = { log, faults: onDemand, reads, reset }
  const streams = {
    read: readHandler(parts),
    append: appendHandler(parts),
    batchAppend: batchAppendHandler(parts),
    delete: notInTheDouble,
    tombstone: notInTheDouble,
  }
  server.addService(StreamsService, secured ? admitting(secured, streams) : streams)
  server.addService(ServerFeaturesService, { getSupportedMethods: supportedMethods(onDemand) })
  const itself = (): readonly Member[] => [{ port, isAlive: true, leads: true }]
  server.addService(GossipService, { read: gossipHandler(settings.members ?? itself, onDemand) })
  const injector = server.createConnectionInjector(credentials(secured))
  const listener = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    injector.injectConnection(socket)
  })
  const port = await listen(listener, settings.port ?? 0)
  const stop = async (): Promise<void> => {
    reset()
    if (listener.listening) await new Promise((resolve) => listener.close(resolve))
  }
  return {
    port,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    log,
    faults: onDemand,
    reads,
    isServing: () => listener.listening,
    reset,
    stop,
    async start() {
      await listen(listener, port)
    },
    async close() {
      onDemand.goOn()
      await stop()
      server.forceShutdown()
    },
  }
}

async function listen(listener: net.Server, port: number): Promise<number> {
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('The double has no port')
  return address.port
}

function credentials(secured: DoubleSettings['secured']): ServerCredentials {
  if (!secured) return ServerCredentials.createInsecure()
  const pair = { private_key: Buffer.from(secured.key), cert_chain: Buffer.from(secured.certificate) }
  return ServerCredentials.createSsl(null, [pair])
}

const notInTheDouble: handleUnaryCall<unknown, unknown> = (_, callback) =>
  callback({ code: status.UNIMPLEMENTED, details: 'not in the double' })

function supportedMethods(onDemand: Faults): handleUnaryCall<unknown, features.SupportedMethods> {
  return (_, callback) => {
    const supported = new features.SupportedMethods().setEventStoreServerVersion('24.10.0')
    for (const { path } of Object.values(StreamsService)) {
      const [, service = '', method = ''] = path.toLowerCase().split('/')
      if (method === 'batchappend' && !onDemand.batchAppend) continue
      supported.addMethods(new features.SupportedMethod().setServiceName(service).setMethodName(method))
    }
    callback(null, supported)
  }
}

/** The handlers, behind a check of the credentials. */
function admitting(
  { user, password }: { readonly user: string; readonly password: string },
  handlers: UntypedServiceImplementation,
): UntypedServiceImplementation {
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const checked = Object.entries(handlers).map(([name, handler]) => {
    const check = (call: Parameters<typeof handler>[0], callback: Parameters<typeof handler>[1]): void => {
      if (call.metadata.get('authorization').includes(basic)) Reflect.apply(handler, undefined, [call, callback])
      else call.emit('error', { code: status.UNAUTHENTICATED, details: 'Access Denied' })
    }
    return [name, check]
  })
  return Object.fromEntries(checked)
}
