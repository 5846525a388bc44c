import FactCheckIcon from '@mui/icons-material/FactCheck'
import DnsIcon from '@mui/icons-material/Dns'
import ExploreIcon from '@mui/icons-material/Explore'
import FlagIcon from '@mui/icons-material/Flag'
import GroupsIcon from '@mui/icons-material/Groups'
import HistoryIcon from '@mui/icons-material/History'
import PeopleIcon from '@mui/icons-material/People'
import type { ComponentType, ReactElement } from 'react'
import { Resource, type ResourceProps } from 'react-admin'
import type { OperationId } from './api/operations.ts'
import { AuditList } from './audit/audit-list.tsx'
import { GuildAuditList } from './audit/guild-audit-list.tsx'
import { ApplicationPage } from './directory/application-page.tsx'
import { Listings, QueueList } from './directory/queue-list.tsx'
import { GuildList } from './guilds/guild-list.tsx'
import { GuildPage } from './guilds/guild-page.tsx'
import { EventList } from './history/event-list.tsx'
import { ExplanationPage } from './history/explanation-page.tsx'
import { StreamPage } from './history/stream-page.tsx'
import { SubjectPage } from './history/subject-page.tsx'
import { InstancePage, instanceNeeds } from './instance/instance-page.tsx'
import { ReportList } from './reports/report-list.tsx'
import { ReportPage } from './reports/report-page.tsx'
import { UserList } from './users/user-list.tsx'
import { UserPage } from './users/user-page.tsx'

/** A view of the console: an entry of its menu, and what it shows. */
export interface View {
  /** In its texts. */
  readonly name: string
  /** Its address, from `#` on. */
  readonly path: `/${string}`
  readonly icon: ComponentType
  /** The operations that it is made of: whoever may call none of them does not see it. */
  readonly needs: readonly OperationId[]
  /** The list that it is, with the page of one record. */
  readonly resource?: Pick<ResourceProps, 'name' | 'list' | 'show'>
  /** Pages of its own, each below `path`. */
  readonly routes?: readonly { readonly path: `/${string}`; readonly element: ReactElement }[]
}

export const views: readonly View[] = [
  {
    name: 'users',
    path: '/users',
    icon: PeopleIcon,
    needs: ['listUsers'],
    resource: { name: 'users', list: UserList, show: UserPage },
  },
  {
    name: 'guilds',
    path: '/guilds',
    icon: GroupsIcon,
    needs: ['listAdminGuilds'],
    resource: { name: 'guilds', list: GuildList, show: GuildPage },
  },
  {
    name: 'reports',
    path: '/reports',
    icon: FlagIcon,
    needs: ['listReports'],
    resource: { name: 'reports', list: ReportList, show: ReportPage },
  },
  {
    name: 'directory',
    path: '/directory',
    icon: ExploreIcon,
    needs: ['listDiscoveryReviewQueue'],
    resource: { name: 'directory', list: QueueList, show: ApplicationPage },
    routes: [{ path: '/directory/listings', element: <Listings /> }],
  },
  {
    name: 'history',
    path: '/history',
    icon: HistoryIcon,
    needs: ['searchHistoryEvents'],
    resource: { name: 'history', list: EventList },
    routes: [
      { path: '/history/streams/:stream', element: <StreamPage /> },
      { path: '/history/subjects/:subject', element: <SubjectPage /> },
      { path: '/history/explain/:id', element: <ExplanationPage /> },
    ],
  },
  {
    name: 'audit',
    path: '/audit',
    icon: FactCheckIcon,
    needs: ['listAdminAuditLogEntries', 'listHistoryGuildAuditLogEntries'],
    resource: { name: 'audit', list: AuditList },
    routes: [{ path: '/audit/guilds', element: <GuildAuditList /> }],
  },
  {
    name: 'instance',
    path: '/instance',
    icon: DnsIcon,
    needs: instanceNeeds,
    routes: [{ path: '/instance/:part?', element: <InstancePage /> }],
  },
]

/** Lists, as React-admin takes them. */
export const resourceElements = views.flatMap(({ resource }) =>
  resource ? [<Resource key={resource.name} {...resource} />] : [],
)
