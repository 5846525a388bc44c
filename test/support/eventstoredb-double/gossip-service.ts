import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'

/** A node of the cluster, as the others know it. */
export interface Member {
  readonly port: number
  readonly isAlive: boolean
  readonly leads: boolean
}

/** The RPC Gossip.Read: which nodes there are, and who leads. */
export function gossipHandler(members: () => readonly Member[]): handleUnaryCall<shared.Empty, gossip.ClusterInfo> {
  return (_, callback) => {
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState
    const infos = members().map(({ port, isAlive, leads }) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(randomUUID()))
        .setTimeStamp(String(Date.now()))
        .setState(leads ? LEADER : FOLLOWER)
        .setIsAlive(isAlive)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
    )
    callback(null, new gossip.ClusterInfo().setMembersList(infos))
  }
}
