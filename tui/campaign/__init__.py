"""Campaigns on the disk: find, read, check, write and lock them. Nothing here knows a screen.

places.py     where(option) -> Place(path, why); check_name(name) -> name; remember(folder);
              last() -> Path | None; data_folder(); state_folder()
samples.py    samples(); names(); open_sample(place, name) -> Path
listing.py    campaigns(place) -> [Entry]; find(place, name) -> Path; folder_names(place) -> [name]
campaign.py   load(path) -> Campaign; new_campaign(place, name, system, title) -> Campaign;
              read_kind(path, id, ruleset) -> Kind; Campaign.current, .order, .log_path(id), .log_file(id)
encounters.py read_opening(campaign, id, check=True) -> dict;
              new_encounter(campaign, title, opening) -> (Campaign, id)
log_file.py   read_log(path, file) -> Log(events, end, notice, problem); tail(path, end) -> Log;
              LogWriter(path, file): .events .end .notice, append(*events), keep_cache(...)
log_cache.py  load(path, log) -> Cached(events, end, beside); save(path, log, events, end, beside)
bookmark.py   bookmark_of(campaign, id, beside) -> Bookmark(encounter, known); later_bookmark(...) -> beside
lock.py       take(folder) -> Lock: .held, .release()
roster.py     save_kind(campaign, kind), duplicate(campaign, id), delete(campaign, id),
              undelete(campaign, id), save_settings(campaign, ...): each -> Campaign
watch.py      Watch(path).changed() -> {file}; reread(campaign, files) -> Reread(campaign, said, wrong);
              conflict_of(campaign, kind) -> Conflict; Follower(path, encounter, end).news() -> [event]
notify.py     Notify(folders, call): start(), stop(): a call soon after something has changed
rescue.py     put_by(writer, events) -> Path | None; bring_back(writer) -> (events, notice)
check.py      check(path) -> [FileProblem]
mend.py       mend(path, choose) -> Mended(done, kept, left); Mend(problem, choices); Choice(says, files)
formats.py    STEPS[N]: from format N to N + 1, for each kind of file
divergence.py compare(log, other) -> Parting(relation, common, here, there, line, says); versions(merged)
backup.py     backup(path, file, force=False) -> int
restore.py    restore(file, place, name) -> Restored
problems.py   FileProblem(file, line, field, message), NotSaved(reason), Changed(file); lock.Held(owner)

Every error is one line without control characters. NotSaved, which Changed is too, means that the disk
holds what it held before.
"""
