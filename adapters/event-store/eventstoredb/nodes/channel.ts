import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { credentials, Metadata, type ChannelCredentials, type ChannelOptions } from '@grpc/grpc-js'
import type { Destination } from './connection-string.ts'
import { textOf, type Endpoint } from './endpoints.ts'

export type ReadCall = ReturnType<StreamsClient['read']>
export type AppendCall = ReturnType<StreamsClient['batchAppend']>

/** A server may hold events of 16 MiB that it wrote itself. */
const received_bytes_max = 17 * 1024 * 1024

/**
 * A node that is silent for this long while calls are open gets a ping. If it does not answer that for as long again, it is
 * given up: a host that vanished is noticed within 2 s. The server answers each ping at once.
 */
const ping_ms = 1000

/**
 * The name that the TLS handshake asks for where a node is configured by its IP address. The handshake must not name an address (RFC
 * 6066), and Node 26 throws if it does. The node's certificate still has to name the address.
 */
const nameOfAddresses: ChannelOptions = { 'grpc.ssl_target_name_override': 'eventstoredb' }

/** A connection to one node, with its open calls. */
export interface Channel {
  readonly node: Endpoint
  /** Opens a call with the common metadata. */
  open<Call extends ReadCall | AppendCall>(
    call: (streams: StreamsClient, metadata: Metadata) => Call,
    requiresLeader: boolean,
  ): Call
  /** Cancels every call and closes the connection. */
  close(): void
}

/** Opens a channel to a node. It connects with the first call. */
export function openChannel(node: Endpoint, destination: Destination): Channel {
  const streams = new StreamsClient(textOf(node), channelCredentials(node, destination), {
    ...(isIP(node.host) === 0 ? {} : nameOfAddresses),
    'grpc.keepalive_time_ms': ping_ms,
    'grpc.keepalive_timeout_ms': ping_ms,
    'grpc.max_receive_message_length': received_bytes_max,
    // A client that leaves a node and returns to it must not get its old connection back.
    'grpc.use_local_subchannel_pool': 1,
    // Gossip requests do not use a proxy either.
    'grpc.enable_http_proxy': 0,
  })
  const calls = new Set<ReadCall | AppendCall>()
  let closed = false
  return {
    node,
    open(open, requiresLeader) {
      const call = open(streams, metadataOf(destination, requiresLeader))
      calls.add(call)
      // A call can fail after its last reader has gone. An error without a listener would end the process.
      call.on('error', () => undefined)
      call.once('status', () => calls.delete(call))
      return call
    },
    close() {
      if (closed) return
      closed = true
      for (const call of calls) call.cancel()
      streams.close()
    },
  }
}

function channelCredentials({ host }: Endpoint, { security }: Destination): ChannelCredentials {
  if (!security) return credentials.createInsecure()
  const { authority, own } = security
  return credentials.createSsl(authority, own?.key, own?.certificate, {
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  })
}

function metadataOf({ authorization, name }: Destination, requiresLeader: boolean): Metadata {
  const metadata = new Metadata()
  if (name !== undefined) metadata.set('connection-name', name)
  if (requiresLeader) metadata.set('requires-leader', 'true')
  if (authorization !== undefined) metadata.set('authorization', authorization)
  return metadata
}
