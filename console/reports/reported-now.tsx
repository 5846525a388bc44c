import { useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import { ActButtons } from '../acts/act-buttons.tsx'
import { actsOnGuild } from '../guilds/acts-on-guild.ts'
import { guildPath } from '../guilds/guild-list.tsx'
import { ComparedTable } from '../parts/compared.tsx'
import { Facts } from '../parts/facts.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { useReading } from '../parts/use-reading.ts'
import { actsOnUser } from '../users/acts-on-user.ts'
import { tagOf, userPath } from '../users/user-list.tsx'
import type { Report } from './report-list.tsx'

interface Props {
  readonly report: Report
  readonly id: string
}

/** The profile as it was kept beside the account of today, and what can be done to it. */
export function ReportedUser({ report, id }: Props) {
  const translate = useTranslate()
  const { may } = useAcls()
  const reading = useReading('listUsers', { query: { user_id: [id] } }, { enabled: may('listUsers') })
  const user = reading.data?.users[0]
  return (
    <>
      <FailureNotice error={reading.error} retry={() => void reading.refetch()} />
      {reading.data && !user && <p>{translate('console.reports.account_gone')}</p>}
      <ComparedTable
        label={translate('console.reports.account')}
        isKnown={user !== undefined}
        rows={[
          { name: 'tag', was: report.reported_user_tag, now: user && tagOf(user) },
          { name: 'global_name', was: report.reported_user_global_name, now: user?.global_name },
          { name: 'bio', was: report.reported_user_bio, now: user?.bio },
          { name: 'pronouns', was: report.reported_user_pronouns, now: user?.pronouns },
          { name: 'avatar', was: report.reported_user_avatar_hash, now: user?.avatar },
          { name: 'banner', was: report.reported_user_banner_hash, now: user?.banner },
        ]}
      />
      {user && (
        <>
          <Facts
            of={{
              temp_banned_until: user.temp_banned_until,
              pending_deletion_at: user.pending_deletion_at,
              last_active_at: user.last_active_at,
              id,
            }}
          />
          <Link to={userPath({ id })}>{translate('console.reports.open_account')}</Link>
          {actsOnUser(user).map(({ group, acts }) => (
            <ActButtons key={group} acts={acts} label={translate(`console.users.${group}`)} />
          ))}
        </>
      )}
    </>
  )
}

/** The guild as it was beside the guild of today, and what can be done to it. */
export function ReportedGuild({ report, id }: Props) {
  const translate = useTranslate()
  const { may } = useAcls()
  const reading = useReading('getAdminGuild', { path: { guild_id: id } }, { enabled: may('getAdminGuild') })
  const guild = reading.data?.guild
  return (
    <>
      <FailureNotice error={reading.error} retry={() => void reading.refetch()} />
      {reading.data && !guild && <p>{translate('console.reports.guild_gone')}</p>}
      <ComparedTable
        label={translate('console.reports.guild')}
        isKnown={guild !== undefined && guild !== null}
        rows={[
          { name: 'name', was: report.reported_guild_name, now: guild?.name },
          { name: 'icon', was: report.reported_guild_icon_hash, now: guild?.icon },
          { name: 'nsfw_level', was: report.reported_guild_nsfw_level, now: guild?.nsfw_level },
        ]}
      />
      <Facts of={{ reported_guild_invite_code: report.reported_guild_invite_code, id }} />
      {guild && (
        <>
          <Facts of={{ member_count: guild.member_count, features: guild.features, owner_id: guild.owner_id }} />
          <Link to={guildPath({ id })}>{translate('console.reports.open_guild')}</Link>
          <ActButtons acts={actsOnGuild(guild)} />
        </>
      )}
    </>
  )
}
