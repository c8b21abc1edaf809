"""Every page of the site, by page group."""

from django.contrib.auth import views as auth
from django.urls import path

from scoring.views import accounts, board, clubs, players, quick, rounds, rules, seat, sessions, settle, share

urlpatterns = [
    path("", clubs.home, name="home"),
    path("healthz", accounts.healthz, name="healthz"),
    # without an account
    path("quick/", quick.quick, name="quick"),
    path("quick/score/", quick.score, name="quick-score"),
    path("quick/keep/<str:token>/", quick.keep, name="quick-keep"),
    # accounts
    path("setup/<str:token>/", accounts.setup, name="setup"),
    path("signup/", accounts.signup, name="signup"),
    path("login/", accounts.LoginView.as_view(), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.password, name="password"),
    path("invitations/<str:token>/", accounts.invitation, name="invitation"),
    # clubs
    path("clubs/new/", clubs.club_new, name="club-new"),
    path("clubs/<int:pk>/", clubs.club, name="club"),
    path("clubs/<int:pk>/settings/", clubs.club_settings, name="club-settings"),
    path("clubs/<int:pk>/hosts/", clubs.hosts, name="hosts"),
    path("clubs/<int:pk>/hosts/invite/", clubs.host_invite, name="host-invite"),
    path("clubs/<int:pk>/hosts/<int:host_pk>/promote/", clubs.host_promote, name="host-promote"),
    path("clubs/<int:pk>/hosts/<int:host_pk>/remove/", clubs.host_remove, name="host-remove"),
    path(
        "clubs/<int:pk>/invitations/<int:invitation_pk>/withdraw/",
        clubs.invitation_withdraw,
        name="invitation-withdraw",
    ),
    path("clubs/<int:pk>/rules/", rules.club_rules, name="club-rules"),
    path("clubs/<int:pk>/rules/draft/", rules.club_rules_draft, name="club-rules-draft"),
    path("clubs/<int:pk>/rules/text/", rules.club_rules_text, name="club-rules-text"),
    # players
    path("clubs/<int:pk>/players/", players.players, name="players"),
    path("players/<int:pk>/rename/", players.rename, name="player-rename"),
    path("players/<int:pk>/retire/", players.retire, name="player-retire"),
    path("players/<int:pk>/return/", players.take_back, name="player-return"),
    # sessions
    path("clubs/<int:pk>/sessions/", sessions.session_list, name="sessions"),
    path("clubs/<int:pk>/sessions/new/", sessions.session_new, name="session-new"),
    path("sessions/<int:pk>/", sessions.session, name="session"),
    path("sessions/<int:pk>/settings/", sessions.session_settings, name="session-settings"),
    path("sessions/<int:pk>/seats/", sessions.seats, name="seats"),
    path("sessions/<int:pk>/stakes/", sessions.stakes, name="stakes"),
    path("sessions/<int:pk>/rules/", rules.session_rules, name="session-rules"),
    path("sessions/<int:pk>/rules/draft/", rules.session_rules_draft, name="session-rules-draft"),
    path("sessions/<int:pk>/rules/text/", rules.session_rules_text, name="session-rules-text"),
    path("sessions/<int:pk>/close/", sessions.close, name="session-close"),
    path("sessions/<int:pk>/reopen/", sessions.reopen, name="session-reopen"),
    # sharing
    path("sessions/<int:pk>/share/", share.share, name="share"),
    path("sessions/<int:pk>/share/board/", share.share_board, name="share-board"),
    path("sessions/<int:pk>/share/seats/", share.share_seats, name="share-seats"),
    path("links/<int:pk>/revoke/", share.revoke, name="link-revoke"),
    path("board/<str:token>/", board.board_page, name="board"),
    path("board/<str:token>/tv/", board.board_tv, name="board-tv"),
    path("board/<str:token>/rounds/", board.board_rounds, name="board-rounds"),
    path("board/<str:token>/rounds/<int:number>/", board.board_round, name="board-round"),
    path("board/<str:token>/rules/", board.board_rules, name="board-rules"),
    path("seat/<str:token>/", seat.seat, name="seat"),
    path("seat/<str:token>/state/", seat.seat_state, name="seat-state"),
    path("seat/<str:token>/hand/", seat.seat_keep, name="seat-keep"),
    path("seat/<str:token>/ready/", seat.seat_ready, name="seat-ready"),
    path("seat/<str:token>/unready/", seat.seat_unready, name="seat-unready"),
    path("seat/<str:token>/take-back/", seat.seat_take_back, name="seat-take-back"),
    path("seat/<str:token>/give/", seat.seat_give, name="seat-give"),
    path("seat/<str:token>/move/", seat.seat_move, name="seat-move"),
    path("seat/<str:token>/rounds/<int:number>/", seat.seat_round, name="seat-round"),
    path("seat/<str:token>/rules/", seat.seat_rules, name="seat-rules"),
    # settle-up
    path("sessions/<int:pk>/settle/", settle.settle_up, name="settle-up"),
    path("sessions/<int:pk>/payments/", settle.pay, name="pay"),
    path("entries/<int:pk>/reverse/", settle.reverse, name="entry-reverse"),
    # rounds
    path("sessions/<int:pk>/rounds/new/", rounds.open_round, name="round-open"),
    path("rounds/<int:pk>/entry/", rounds.entry, name="round-entry"),
    path("rounds/<int:pk>/seats/", rounds.reseat, name="round-seats"),
    path("rounds/<int:pk>/check/", rounds.check, name="round-check"),
    path("rounds/<int:pk>/score/", rounds.score, name="round-score"),
    path("rounds/<int:pk>/hidden/", share.hidden_hands, name="round-hidden"),
    path("rounds/<int:pk>/reveal/", share.reveal, name="round-reveal"),
    path("hands/<int:pk>/take-over/", share.take_over, name="hand-take-over"),
    path("rounds/<int:pk>/discard/", rounds.discard, name="round-discard"),
    path("rounds/<int:pk>/", rounds.round_page, name="round"),
    path("rounds/<int:pk>/void/", rounds.void, name="round-void"),
    path("rounds/<int:pk>/restore/", rounds.restore, name="round-restore"),
]
