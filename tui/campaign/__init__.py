"""Campaigns on the disk: find, read, check, write and lock them. Nothing here knows a screen.

folders.py       the folder of campaigns, names that campaigns can have, which was open last
user_folders.py  where a user's data, state and settings stand on each system
samples.py       the samples: templates, and the copies that are played
listing.py       the list of campaigns; find(place, name) to read one, find_to_play to play in it
campaign.py      load(path) -> Campaign; new_campaign; the roster as it is read
encounters.py    openings: read, prepare; which encounter is the current one
roster.py        changes to the roster and to campaign.toml that keep comments
seats.py         who may sit where
lock.py          one writer for each campaign
watch.py         what others change while a campaign is open; notify.py calls when something did
formats.py       older formats of each file
problems.py      FileProblem, NotSaved, Changed
toml/            read with positions, edit what a person wrote, write whole files
log/             the events of a fight: blocks, reading, appending, cache, recovery
repair/          check and repair
archive/         backup and restore

Every error is one line without control characters. NotSaved, which Changed is too, means that the disk
holds what it held before.
"""
