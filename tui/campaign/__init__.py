"""Find, read, check, write and lock campaigns on the disk. No module here knows a screen.

folders.py       the folder of campaigns, valid names, the campaign that was open last
user_folders.py  the folders for a user's data, state and settings on each system
samples.py       the samples: templates, and the copies that are played
listing.py       the list of campaigns; find(place, name) to read one, find_to_play to play in it
campaign.py      load(path) -> Campaign; new_campaign; the roster as it is read
encounters.py    openings: read, prepare; which encounter is the current one
roster.py        changes to the roster and to campaign.toml that keep comments
seats.py         the seats of a campaign and the keys that open them
lock.py          one writer for each campaign
watch.py         changes by others in an open campaign; notify.py calls when there are some
formats.py       older formats of each file
problems.py      FileProblem, NotSaved, Changed
toml/            read with positions, edit the user's files, write whole files
log/             the events of a fight: blocks, reading, appending, cache, recovery
repair/          check and repair
archive/         backup and restore

Every error is one line without control characters. NotSaved, and so Changed,
means that the disk is unchanged.
"""
